import { listTerms } from './list-terms.ts';

const MAX_SYMBOLS = 16;

/** The index terms of a text in order, duplicates kept. Any string will do. */
export function tokenize(text: string): readonly string[] {
  const { terms } = listTerms(text);
  return terms.length === 0 ? symbolTerms(text) : terms;
}

/** What a text of nothing but emoji and signs is found by. */
export function symbolTerms(text: string): string[] {
  const symbols: string[] = [];
  for (const symbol of text.slice(0, 256)) {
    if (symbols.length === MAX_SYMBOLS) break;
    if (/[\p{S}\p{P}\p{N}]/u.test(symbol)) symbols.push(symbol);
  }
  return symbols;
}

import { findTextBreak } from './find-text-break.ts';

/** About 300 tokens of English: small enough for embedding models, large enough for a thought. */
const MAX_PASSAGE_CHARS = 1200;

/** Cuts a text into the pieces that search finds. Nothing but white space at the borders is left out. */
export function splitPassages(content: string): string[] {
  const passages: string[] = [];
  let start = 0;
  while (start < content.length) {
    const end = findTextBreak(content, start, MAX_PASSAGE_CHARS);
    const text = content.slice(start, end).trim();
    if (text !== '') passages.push(text);
    start = end;
  }
  return passages;
}

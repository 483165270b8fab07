import { fold } from '../../../search/text/fold.ts';
import { isStopWord } from '../../../search/text/stop-words.ts';

/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;
let segmenter: Intl.Segmenter | null = null;

/** Words as they stand there, in order, without the punctuation around them. */
export function splitWords(text: string): string[] {
  return text.split(/\s+/).flatMap((chunk) => {
    if (UNSPACED.test(chunk)) return segment(chunk);
    const word = chunk.replace(EDGES, '');
    return word === '' ? [] : [word];
  });
}

function segment(text: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike === true).map((piece) => piece.segment);
}

/** Sentences and lines that hold at least a few words. */
export function splitSentences(text: string): string[] {
  const pieces = text.split(/(?<=[.!?])\s+|(?<=[。！？])|[\r\n]+/).map((piece) => piece.trim());
  return pieces.filter((piece) => splitWords(piece).length >= 3);
}

/** Names of files, functions, versions, tickets …: what people rarely remember to the letter. */
export function isIdentifier(word: string): boolean {
  return (
    /\p{N}/u.test(word) ||
    /[\p{L}\p{N}][_/.\\:@#=(){}[\]<>][\p{L}\p{N}]/u.test(word) ||
    /\p{Ll}\p{Lu}/u.test(word) ||
    /^\p{Lu}{2,}s?$/u.test(word)
  );
}

export function saysSomething(word: string): boolean {
  return !isStopWord(fold(word)) && (UNSPACED.test(word) || word.length > 2 || isIdentifier(word));
}

/** In how many of the texts a word stands. */
export function countTexts(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const word of new Set(splitWords(text).map(fold))) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

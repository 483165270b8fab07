import type { Passage } from '../../model/passage.ts';
import { findBorder } from './find-border.ts';

/** About 300 tokens of English: small enough for embedding models, large enough for a thought. */
const MAX_PASSAGE_CHARS = 1200;

/** Cuts a text into the pieces that search finds. Nothing but white space at the borders is left out. */
export function splitPassages(content: string): Passage[] {
  const passages: Passage[] = [];
  let start = 0;
  while (start < content.length) {
    const end = findBorder(content, start, MAX_PASSAGE_CHARS);
    const text = content.slice(start, end).trim();
    if (text !== '') passages.push({ ordinal: passages.length, text });
    start = end;
  }
  return passages;
}

import { avoidPair } from '../../model/cut-text.ts';
import { findTextBreak } from '../records/find-text-break.ts';

export interface SplitOptions {
  maxChars: number;
  overlapChars: number;
}

/** Cuts a long text into pieces of at most `maxChars`; each repeats up to `overlapChars` of the end of the one before. */
export function splitContent(content: string, { maxChars, overlapChars }: SplitOptions): string[] {
  const overlap = Math.min(overlapChars, Math.floor(maxChars / 2) - 1);
  const pieces: string[] = [];
  let start = 0;
  while (start < content.length) {
    const end = findTextBreak(content, start, maxChars);
    const piece = content.slice(start, end).trim();
    if (piece !== '') pieces.push(piece);
    if (end >= content.length) break;
    start = overlap > 0 ? Math.max(start + 1, overlapStart(content, end, overlap)) : end;
  }
  return pieces;
}

/** Prefers to begin the repeated part with a whole word. */
function overlapStart(content: string, end: number, overlap: number): number {
  const from = avoidPair(content, end - overlap);
  const space = content.slice(from, end).search(/\s\S/u);
  return space < 0 ? from : from + space + 1;
}

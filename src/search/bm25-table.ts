import { saturate } from './score.ts';

/** Counts and lengths for which BM25's quotient is looked up instead of divided anew for every posting. */
export const TABLE_COUNTS = 8;
const TABLE_LENGTHS = 1024;

/** What `saturate` gives for the usual counts and lengths. */
export interface Bm25Table {
  averageLength: number;
  lengths: number;
  shares: Float64Array;
}

let lastMade: Bm25Table | null = null;

/** The last one is kept: as long as nothing is written every search needs the same. */
export function makeBm25Table(averageLength: number, maxLength: number): Bm25Table {
  const lengths = Math.min(maxLength + 1, TABLE_LENGTHS);
  if (lastMade?.averageLength === averageLength && lastMade.lengths === lengths) return lastMade;
  const shares = new Float64Array(TABLE_COUNTS * lengths);
  for (let count = 1; count < TABLE_COUNTS; count++) {
    for (let length = 0; length < lengths; length++)
      shares[count * lengths + length] = saturate(count, length, averageLength);
  }
  lastMade = { averageLength, lengths, shares };
  return lastMade;
}

export function shareOf({ averageLength, lengths, shares }: Bm25Table, count: number, length: number): number {
  return count < TABLE_COUNTS && length < lengths
    ? shares[count * lengths + length]!
    : saturate(count, length, averageLength);
}

import type { Body, Part, Postings } from './index/part.ts';
import type { ScoredTerm } from './resolve-terms.ts';

const K1 = 1.2;
const B = 0.75;
/** Counts and lengths for which BM25's quotient is looked up instead of divided anew for every posting. */
const TABLE_COUNTS = 8;
const TABLE_LENGTHS = 1024;
/** Looking a doc up in a word's list costs about as much as this many steps through it. */
const LOOKUP_STEPS = 16;

/** How much of a word's weight a passage gets, by how often it holds the word and by its own length: count / (count + norm). */
export interface Saturation {
  averageLength: number;
  lengths: number;
  table: Float64Array;
}

/** No word gives a passage more than this many times its weight. */
export const MAX_SATURATION = K1 + 1;

export function makeSaturation(averageLength: number, maxLength: number): Saturation {
  const lengths = Math.min(maxLength + 1, TABLE_LENGTHS);
  const table = new Float64Array(TABLE_COUNTS * lengths);
  for (let count = 1; count < TABLE_COUNTS; count++) {
    for (let length = 0; length < lengths; length++) table[count * lengths + length] = saturate(count, length, averageLength);
  }
  return { averageLength, lengths, table };
}

function saturate(count: number, length: number, averageLength: number): number {
  return ((K1 + 1) * count) / (count + K1 * (1 - B + (B * length) / averageLength));
}

export interface TextScoring {
  terms: readonly ScoredTerm[];
  saturation: Saturation;
  /** One for each doc of the part. */
  scores: Float32Array;
}

/** Adds the BM25 score of every doc of the part, dead and hidden ones too: leaving those out is cheaper once than for every word. */
export function scoreText({ columns }: Part, { words }: Body, { terms, saturation, scores }: TextScoring): void {
  for (const term of terms) {
    const postings = words.find(term);
    if (postings !== null) addImpacts(scores, postings, { factor: term.weight * term.idf, docLength: columns.docLength, saturation });
  }
}

/** Adds what further words give to docs that match already; `docs` names those that matter, without it all do. */
export function supportText({ columns }: Part, { words }: Body, { terms, saturation, scores }: TextScoring, docs?: Uint32Array): void {
  for (const term of terms) {
    const postings = words.find(term);
    if (postings === null) continue;
    const impact = { factor: term.weight * term.idf, docLength: columns.docLength, saturation };
    if (docs !== undefined && docs.length * LOOKUP_STEPS < postings.docs.length) addImpactsTo(docs, scores, postings, impact);
    else addImpactsToMatches(scores, postings, impact);
  }
}

interface Impact {
  factor: number;
  docLength: Uint16Array;
  saturation: Saturation;
}

function addImpacts(scores: Float32Array, { docs, counts }: Postings, { factor, docLength, saturation }: Impact): void {
  const { averageLength, lengths, table } = saturation;
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i]!;
    const count = counts[i]!;
    const length = docLength[doc]!;
    const share = count < TABLE_COUNTS && length < lengths ? table[count * lengths + length]! : saturate(count, length, averageLength);
    scores[doc] = scores[doc]! + factor * share;
  }
}

function addImpactsToMatches(scores: Float32Array, { docs, counts }: Postings, { factor, docLength, saturation }: Impact): void {
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i]!;
    if (scores[doc]! > 0) scores[doc] = scores[doc]! + factor * shareOf(saturation, counts[i]!, docLength[doc]!);
  }
}

/** Both lists ascend: each doc is looked for from where the last one stood, in growing steps. */
function addImpactsTo(wanted: Uint32Array, scores: Float32Array, { docs, counts }: Postings, { factor, docLength, saturation }: Impact): void {
  let low = 0;
  for (let k = 0; k < wanted.length && low < docs.length; k++) {
    const doc = wanted[k]!;
    let step = 1;
    let high = low;
    while (high < docs.length && docs[high]! < doc) {
      low = high + 1;
      high += step;
      step *= 2;
    }
    high = Math.min(high, docs.length);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (docs[middle]! < doc) low = middle + 1;
      else high = middle;
    }
    if (docs[low] === doc) scores[doc] = scores[doc]! + factor * shareOf(saturation, counts[low]!, docLength[doc]!);
  }
}

function shareOf({ averageLength, lengths, table }: Saturation, count: number, length: number): number {
  return count < TABLE_COUNTS && length < lengths ? table[count * lengths + length]! : saturate(count, length, averageLength);
}

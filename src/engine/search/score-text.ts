import type { Body, Part, Postings } from './index/part.ts';
import type { ScoredTerm } from './resolve-terms.ts';

const K1 = 1.2;
/** Lower than usual: among turns and notes a longer text is not a worse one. */
const B = 0.5;
/** Counts and lengths for which BM25's quotient is looked up instead of divided anew for every posting. */
const TABLE_COUNTS = 8;
const TABLE_LENGTHS = 1024;

/** How much of a word's weight a passage gets, by how often it holds the word and by its own length: count / (count + norm). */
export interface Saturation {
  averageLength: number;
  lengths: number;
  table: Float64Array;
}

/** No word gives a passage more than this many times its weight. */
const MAX_SATURATION = K1 + 1;

let lastMade: Saturation | null = null;

/** The last one is kept: as long as nothing is written every search needs the same. */
export function makeSaturation(averageLength: number, maxLength: number): Saturation {
  const lengths = Math.min(maxLength + 1, TABLE_LENGTHS);
  if (lastMade?.averageLength !== averageLength || lastMade.lengths !== lengths)
    lastMade = tabulate(averageLength, lengths);
  return lastMade;
}

function tabulate(averageLength: number, lengths: number): Saturation {
  const table = new Float64Array(TABLE_COUNTS * lengths);
  for (let count = 1; count < TABLE_COUNTS; count++) {
    for (let length = 0; length < lengths; length++)
      table[count * lengths + length] = saturate(count, length, averageLength);
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

/**
 * Adds the BM25 score of every doc of the part, dead and hidden ones too: leaving those out is cheaper once than for every word.
 * Writes the docs that score into `matches`, in no order, and returns how many there are; `matches` has room for one more than the part has docs.
 */
export function scoreText(
  { columns }: Part,
  { words }: Body,
  { terms, saturation, scores }: TextScoring,
  matches: Uint32Array,
): number {
  let found = 0;
  for (const term of terms) {
    const postings = words.find(term);
    if (postings === null) continue;
    found = addImpacts(
      postings,
      { factor: term.weight * term.idf, docLength: columns.docLength, saturation, scores },
      { matches, found },
    );
  }
  return found;
}

/** Adds what further words give to docs that match already. */
export function supportText(
  { columns }: Part,
  { words }: Body,
  { terms, saturation, scores }: TextScoring,
  matches: Uint32Array,
): void {
  for (const term of terms) {
    const impact = { factor: term.weight * term.idf, docLength: columns.docLength, saturation, scores };
    const dense = words.countsByDoc(term);
    if (dense !== null) addCounts(matches, dense, impact);
    else addImpactsToMatches(words.find(term) ?? NO_POSTINGS, impact);
  }
}

const NO_POSTINGS: Postings = { docs: new Uint32Array(0), counts: new Uint8Array(0) };

export interface Chance {
  /** Ascending. */
  docs: Uint32Array;
  /** Docs that cannot reach this any more are dropped on the way. */
  least: number;
}

/** The same for these docs alone: their numbers are looked up in the words' lists. */
export function supportDocs(
  { columns }: Part,
  { words }: Body,
  { terms, saturation, scores }: TextScoring,
  { docs, least }: Chance,
): Uint32Array {
  let left = docs;
  let growth = terms.reduce((sum, term) => sum + greatestImpact(term), 0);
  for (const term of terms) {
    if (left.length === 0) break;
    const impact = { factor: term.weight * term.idf, docLength: columns.docLength, saturation, scores };
    const dense = words.countsByDoc(term);
    if (dense !== null) addCounts(left, dense, impact);
    else addImpactsTo(left, words.find(term) ?? NO_POSTINGS, impact);
    growth -= greatestImpact(term);
    const needed = least - growth;
    if (least > -Infinity && left.length > FEW) left = left.filter((doc) => scores[doc]! >= needed);
  }
  return left;
}

/** So few docs are not worth sifting. */
const FEW = 64;

/** The most that the word can add to one doc. */
export function greatestImpact({ weight, idf }: Pick<ScoredTerm, 'weight' | 'idf'>): number {
  return weight * idf * MAX_SATURATION;
}

interface Impact {
  factor: number;
  docLength: Uint16Array;
  saturation: Saturation;
  scores: Float32Array;
}

function addImpacts(
  { docs, counts }: Postings,
  { factor, docLength, saturation, scores }: Impact,
  { matches, found }: { matches: Uint32Array; found: number },
): number {
  const { averageLength, lengths, table } = saturation;
  let next = found;
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i]!;
    const count = counts[i]!;
    const length = docLength[doc]!;
    const share =
      count < TABLE_COUNTS && length < lengths
        ? table[count * lengths + length]!
        : saturate(count, length, averageLength);
    const before = scores[doc]!;
    // Written in any case and kept only when new: whether a doc is new cannot be foretold, and a wrong guess costs more.
    matches[next] = doc;
    next += before === 0 ? 1 : 0;
    scores[doc] = before + factor * share;
  }
  return next;
}

function addImpactsToMatches({ docs, counts }: Postings, { factor, docLength, saturation, scores }: Impact): void {
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i]!;
    if (scores[doc]! > 0) scores[doc] = scores[doc]! + factor * shareOf(saturation, counts[i]!, docLength[doc]!);
  }
}

function addCounts(wanted: Uint32Array, counts: Uint8Array, { factor, docLength, saturation, scores }: Impact): void {
  for (let k = 0; k < wanted.length; k++) {
    const doc = wanted[k]!;
    if (counts[doc]! > 0) scores[doc] = scores[doc]! + factor * shareOf(saturation, counts[doc]!, docLength[doc]!);
  }
}

/** Both lists ascend: each doc is looked for from where the last one stood, in growing steps. */
function addImpactsTo(
  wanted: Uint32Array,
  { docs, counts }: Postings,
  { factor, docLength, saturation, scores }: Impact,
): void {
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
  return count < TABLE_COUNTS && length < lengths
    ? table[count * lengths + length]!
    : saturate(count, length, averageLength);
}

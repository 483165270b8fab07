import type { SearchPart } from './search-set.ts';
import { selectLargest } from './select-largest.ts';

/** For each part of the index some of its docs. */
export type DocLists = readonly Uint32Array[];

/** Scores of all docs of a set, 0 where one does not match. */
export interface DocScores {
  parts: readonly SearchPart[];
  scores: Float32Array;
}

/** Scores that were gathered. Used by one call after the other. */
const gathered = new Float32Array(4096);

/** The n-th largest score of these docs, and the largest; -Infinity where they are fewer. */
export function surveyScores(
  { parts, scores }: DocScores,
  docs: DocLists,
  n: number,
): { nth: number; largest: number } {
  const values = 2 * n <= gathered.length ? gathered : new Float32Array(2 * n);
  let [count, least, largest] = [0, -Infinity, -Infinity];
  for (let i = 0; i < parts.length; i++) {
    const { base } = parts[i]!;
    const own = docs[i]!;
    for (let k = 0; k < own.length; k++) {
      const score = scores[base + own[k]!]!;
      // One that is only as large as the n-th so far changes nothing.
      if (score <= least) continue;
      values[count++] = score;
      if (score > largest) largest = score;
      if (count < values.length) continue;
      least = selectLargest(values, n);
      count = keepLargest(values, n, least);
    }
  }
  return { nth: selectLargest(values.subarray(0, count), n), largest };
}

/**
 * The n-th largest score of these docs, -Infinity where they are fewer, and all docs that score at most `margin` less than it, in no order: found in one pass, since
 * the n-th largest of those seen so far can only grow.
 */
export function listLargest(
  { parts, scores }: DocScores,
  docs: DocLists,
  { n, margin }: { n: number; margin: number },
): { nth: number; listed: Uint32Array[] } {
  const values = 2 * n <= gathered.length ? gathered.subarray(0, 2 * n) : new Float32Array(2 * n);
  const seen: number[][] = [];
  let [count, least, enough] = [0, -Infinity, -Infinity];
  for (let i = 0; i < parts.length; i++) {
    const { base } = parts[i]!;
    const own = docs[i]!;
    const some: number[] = [];
    for (let k = 0; k < own.length; k++) {
      const score = scores[base + own[k]!]!;
      if (score < enough) continue;
      some.push(own[k]!);
      if (score <= least) continue;
      values[count++] = score;
      if (count < values.length) continue;
      least = selectLargest(values, n);
      enough = least - margin;
      count = keepLargest(values, n, least);
    }
    seen.push(some);
  }
  const nth = selectLargest(values.subarray(0, count), n);
  const listed = seen.map((some, i) =>
    Uint32Array.from(some.filter((doc) => scores[parts[i]!.base + doc]! >= nth - margin)),
  );
  return { nth, listed };
}

/** The n-th largest of their records, each by its best doc, for a small n. */
export function nthRecordScore({ parts, scores }: DocScores, docs: DocLists, n: number): number {
  const largest = 2 * n <= gathered.length ? gathered : new Float32Array(2 * n);
  let [count, least] = [0, -Infinity];
  for (let i = 0; i < parts.length; i++) {
    const { part, base } = parts[i]!;
    const { columns } = part;
    const own = scores.subarray(base, base + columns.docCount);
    // Not taken where they are not needed: they may have to be read first.
    const several = columns.singlePassages ? null : { docRecord: columns.docRecord, docStart: columns.docStart };
    const some = docs[i]!;
    for (let k = 0; k < some.length; k++) {
      const doc = some[k]!;
      if (own[doc]! <= least) continue;
      if (several !== null) {
        const record = several.docRecord[doc]!;
        if (!isBestOf(own, doc, several.docStart[record]!, several.docStart[record + 1]!)) continue;
      }
      largest[count++] = own[doc]!;
      if (count < largest.length) continue;
      least = selectLargest(largest, n);
      count = keepLargest(largest, n, least);
    }
  }
  return selectLargest(largest.subarray(0, count), n);
}

/** The n largest to the front, the last of which is known. */
function keepLargest(values: Float32Array, n: number, least: number): number {
  let kept = 0;
  for (let i = 0; i < values.length; i++) if (values[i]! > least) values[kept++] = values[i]!;
  values.fill(least, kept, n);
  return n;
}

/** Of docs with the same score the first is the best. */
function isBestOf(scores: Float32Array, doc: number, start: number, end: number): boolean {
  const score = scores[doc]!;
  for (let other = start; other < doc; other++) if (scores[other]! >= score) return false;
  for (let other = doc + 1; other < end; other++) if (scores[other]! > score) return false;
  return true;
}

/** The docs whose scores lie in the range, ascending. */
export function selectDocs(
  { parts, scores }: DocScores,
  docs: DocLists,
  { from, below }: { from: number; below: number },
): Uint32Array[] {
  return parts.map(({ base }, i) => {
    const own = docs[i]!;
    const selected: number[] = [];
    for (let k = 0; k < own.length; k++) {
      const score = scores[base + own[k]!]!;
      if (score >= from && score < below) selected.push(own[k]!);
    }
    return Uint32Array.from(selected).sort();
  });
}

export function joinDocs(a: DocLists, b: DocLists): Uint32Array[] {
  return a.map((docs, i) => {
    const joined = new Uint32Array(docs.length + b[i]!.length);
    joined.set(docs);
    joined.set(b[i]!, docs.length);
    return joined.sort();
  });
}

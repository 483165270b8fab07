import { addStopWordsTo, type Bm25, greatestGain } from './bm25.ts';
import { type DocLists, joinDocs, selectDocs } from './doc-lists.ts';
import type { Body } from './index/part.ts';
import type { SearchPart } from './search-set.ts';

/** Docs that got their stop words, and docs that did without. */
export interface Pruned {
  /** All docs that can be among the best. */
  likely: DocLists;
  /** Docs that match, are not likely and score less than this have no stop words yet; 0 where all have. */
  from: number;
}

/** Room for the rounding of sums. */
const SLACK = 1e-3;

/** How far below the best by keywords alone a doc may lie that stop words can still bring among them. */
export function reachOfStopWords(bm25: Bm25): number {
  return greatestGain(bm25) + SLACK;
}

export interface Wanted {
  /** What the last of the best scores by keywords alone. */
  byKeywords: number;
  /** The docs that lie within reach of it, and maybe others; all that match where absent. */
  among?: DocLists;
  /** What a doc must score to be among the best, judged by these, which have their stop words. */
  needed(docs: DocLists): number;
}

/**
 * Adds the stop words to those docs alone that they can bring among the best. Exact: the best by keywords are finished first, and whoever is left out
 * could not reach the last of them with every stop word there is.
 */
export function* addStopWordsToBest(bm25: Bm25, wanted: Wanted): Generator<SearchPart, Pruned, Body> {
  const { parts, text, matches } = bm25;
  const { byKeywords, among = matches, needed } = wanted;
  const scored = { parts, scores: text };
  const first = selectDocs(scored, among, { from: byKeywords, below: Infinity });
  yield* addStopWordsTo(bm25, first);
  const from = Math.max(0, needed(first) - reachOfStopWords(bm25));
  const others = selectDocs(scored, among, { from, below: byKeywords });
  yield* addStopWordsTo(bm25, others);
  return { likely: joinDocs(first, others), from };
}

import type { Hit, SearchResult } from '../model/search.ts';

/** Of the hits that were right, one in a hundred scores less than this share of the best; of all hits, a third to two thirds. */
const NEAR_SHARE = 0.3;
/** A match of 0 % is weak wherever it stands. */
const LEAST = 0.005;
/** What is as likely as this is strong wherever it stands. */
const LIKELY = 0.25;
/** Where nothing is relevant, so many of the nearest may be a help; those below the chance of one in four are none. */
export const MAX_NEAREST = 3;
const NEAREST_FROM = 0.25;

type Judged = Pick<Hit, 'score' | 'confidence'>;

interface Page {
  verdict: SearchResult['verdict'];
  /** The score of the first hit of all pages. */
  best: number;
}

/** How many of the first hits bear on the question; all after them are weak. */
export function countStrong(hits: readonly Judged[], { verdict, best }: Page): number {
  if (verdict === 'nothing') return 0;
  const last = hits.findLastIndex(({ score, confidence }) => score >= NEAR_SHARE * best || confidence >= LIKELY);
  const unlikely = hits.findIndex(({ confidence }) => confidence < LEAST);
  return unlikely === -1 ? last + 1 : Math.min(last + 1, unlikely);
}

/** What bears on the question, and where nothing does the nearest few. */
export function keepRelevant<T extends Judged>(hits: readonly T[], verdict: SearchResult['verdict']): readonly T[] {
  if (verdict === 'nothing') return hits.filter(({ confidence }) => confidence >= NEAREST_FROM).slice(0, MAX_NEAREST);
  return hits.slice(0, countStrong(hits, { verdict, best: hits[0]?.score ?? 0 }));
}

/** No hit is more likely than one that stands above it; `ceiling` is what those of earlier pages leave. */
export function alignConfidence(hits: readonly Judged[], ceiling = 1): void {
  let lowest = ceiling;
  for (const hit of hits) {
    lowest = Math.min(lowest, hit.confidence);
    hit.confidence = lowest;
  }
}

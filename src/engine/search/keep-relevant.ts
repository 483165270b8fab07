import type { Hit, SearchResult } from '../../model/search.ts';

/** Of the hits that were right, one in a hundred scores less than this share of the best; of all hits, a third to two thirds. */
const NEAR_SHARE = 0.3;
/** Nobody is shown a match of 0 %. */
const LEAST = 0.005;
/** What is as likely as this is shown wherever it stands. */
const LIKELY = 0.25;
/** Where nothing is relevant, so many of the nearest may be a help; those below the chance of one in twenty are none. */
const MAX_NEAREST = 3;
const NEAREST_FROM = 0.05;

type Judged = Pick<Hit, 'score' | 'confidence'>;

/** What bears on the question. */
export function keepRelevant<T extends Judged>(hits: readonly T[], verdict: SearchResult['verdict']): readonly T[] {
  if (verdict === 'nothing') return hits.filter(({ confidence }) => confidence >= NEAREST_FROM).slice(0, MAX_NEAREST);
  const best = hits[0]?.score ?? 0;
  const last = hits.findLastIndex(({ score, confidence }) => score >= NEAR_SHARE * best || confidence >= LIKELY);
  return hits.slice(0, last + 1).filter(({ confidence }) => confidence >= LEAST);
}

/** No hit is more likely than one that stands above it; `ceiling` is what those of earlier pages leave. */
export function alignConfidence(hits: readonly Judged[], ceiling = 1): void {
  let lowest = ceiling;
  for (const hit of hits) {
    lowest = Math.min(lowest, hit.confidence);
    hit.confidence = lowest;
  }
}

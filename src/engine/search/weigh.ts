import type { Instant } from '../../model/ids.ts';

const MONTH_MS = 30 * 24 * 60 * 60 * 1000;
const RECENCY_GAIN = 0.05;
const QUALITY_SWING = 0.05;

/** No weighing lifts a score by more than this. */
export const MAX_WEIGHT = (1 + RECENCY_GAIN) * (1 + QUALITY_SWING);
/** None leaves less of it. */
export const MIN_WEIGHT = 1 - QUALITY_SWING;

/** 1.05 for what was said just now, half of the gain a month later, 1 in the end. */
export function weighRecency(updatedAt: Instant, now: Instant): number {
  return 1 + RECENCY_GAIN * 2 ** (-Math.max(0, now - updatedAt) / MONTH_MS);
}

/** 0.95 to 1.05; 1 where nobody has judged. */
export function weighQuality(quality: number): number {
  return 1 + QUALITY_SWING * (2 * quality - 1);
}

/** Lets quality decide instead of relevance (0 to 1 each), as far as `boost` says: 0 not at all, 1 alone. */
export function blendQuality(relevance: number, quality: number, boost: number): number {
  return (1 - boost) * relevance + boost * quality;
}

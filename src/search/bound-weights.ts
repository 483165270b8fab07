import type { Instant } from '../model/ids.ts';
import type { Part } from './index/part.ts';
import { MAX_WEIGHT, MIN_WEIGHT, qualityWeight, recencyWeight } from './score.ts';
import type { SearchPart } from './search-set.ts';

/** Between which bounds the weights of records lie. */
export interface WeightBounds {
  least: number;
  most: number;
}

interface Extremes {
  /** How many records were looked at. */
  records: number;
  oldest: Instant;
  newest: Instant;
  lowest: number;
  highest: number;
}

const found = new WeakMap<Part, Extremes | null>();
/** Room for rounding. */
const SLACK = 1e-6;

/** Of all records of these parts, dead ones included. Mostly they are much closer to each other than weights can be. */
export function boundWeights(parts: readonly SearchPart[], now: Instant): WeightBounds {
  const bounds = { least: MAX_WEIGHT, most: MIN_WEIGHT };
  for (const { part } of parts) {
    const extremes = findExtremes(part);
    if (extremes === null) return { least: MIN_WEIGHT, most: MAX_WEIGHT };
    const { oldest, newest, lowest, highest } = extremes;
    bounds.least = Math.min(bounds.least, recencyWeight(oldest, now) * qualityWeight(lowest) * (1 - SLACK));
    bounds.most = Math.max(bounds.most, recencyWeight(newest, now) * qualityWeight(highest) * (1 + SLACK));
  }
  return bounds;
}

/** Null the first time: a part that is read for one search alone would not gain by it. */
function findExtremes(part: Part): Extremes | null {
  const known = found.get(part);
  if (known === undefined) {
    found.set(part, null);
    return null;
  }
  const { recordCount } = part.columns;
  if (known !== null && known.records === recordCount) return known;
  const { updatedAt, quality } = part.columns;
  const extremes = known ?? { records: 0, oldest: Infinity, newest: -Infinity, lowest: Infinity, highest: -Infinity };
  for (let record = extremes.records; record < recordCount; record++) {
    extremes.oldest = Math.min(extremes.oldest, updatedAt[record]!);
    extremes.newest = Math.max(extremes.newest, updatedAt[record]!);
    extremes.lowest = Math.min(extremes.lowest, quality[record]!);
    extremes.highest = Math.max(extremes.highest, quality[record]!);
  }
  extremes.records = recordCount;
  found.set(part, extremes);
  return extremes;
}

import type { Instant } from '../model/ids.ts';
import { comparePlaces, type Place } from '../model/list-place.ts';
import { createRecordTest, type IndexFilter, maskRecords } from './filter-mask.ts';
import type { Candidates } from './find-candidates.ts';
import { idAt } from './index/columns.ts';
import type { Part } from './index/part.ts';

export interface PlacesWanted {
  filter: IndexFilter;
  now: Instant;
  /** Only what comes after it in the order. */
  start: Place | null;
  count: number;
  /** Which records of a part come into question; absent: all. */
  among?: (part: Part) => Candidates;
}

export interface FoundPlaces {
  /** The first of them, newest first. */
  places: Place[];
  /** How many pass in all, before `start` too. */
  total: number;
  /** What comes into question is what is wanted. */
  isExact: boolean;
}

const ALL: Candidates = { records: null, isExact: true };

/** The newest records that pass, from the columns alone. */
export function listPlaces(parts: readonly Part[], { filter, now, start, count, among }: PlacesWanted): FoundPlaces {
  let best: Place[] = [];
  /** What is older than this is not among the first. */
  let oldest = -Infinity;
  let total = 0;
  let isExact = true;
  const latest = start?.createdAt ?? Infinity;
  for (const part of parts) {
    const { columns } = part;
    const { createdAt } = columns;
    const { records: chosen, isExact: isSure } = among?.(part) ?? ALL;
    isExact &&= isSure;
    const passes = chosen === null ? null : createRecordTest(part, filter, now);
    const mask = chosen === null ? maskRecords(part, filter, now) : null;
    for (let i = (chosen?.length ?? columns.recordCount) - 1; i >= 0; i--) {
      const record = chosen === null ? i : chosen[i]!;
      if (mask !== null && mask[record] !== 1) continue;
      if (passes !== null && !passes(record)) continue;
      total++;
      const at = createdAt[record]!;
      if (at < oldest || at > latest) continue;
      const place = { createdAt: at, id: idAt(columns, record) };
      if (start !== null && comparePlaces(start, place) >= 0) continue;
      best.push(place);
      if (best.length < 2 * count + 64) continue;
      best = best.sort(comparePlaces).slice(0, count);
      oldest = best.at(-1)?.createdAt ?? Infinity;
    }
  }
  return { places: best.sort(comparePlaces).slice(0, count), total, isExact };
}

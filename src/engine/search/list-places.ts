import type { Instant } from '../../model/ids.ts';
import { comparePlaces, type Place } from '../../model/list-place.ts';
import { type IndexFilter, maskRecords } from './filter-mask.ts';
import { idAt } from './index/columns.ts';
import type { Part } from './index/part.ts';

export interface PlacesWanted {
  filter: IndexFilter;
  now: Instant;
  /** Only what comes after it in the order. */
  start: Place | null;
  count: number;
}

export interface FoundPlaces {
  /** The first of them, newest first. */
  places: Place[];
  /** How many pass in all, before `start` too. */
  total: number;
}

/** The newest records that pass, from the columns alone. */
export function listPlaces(parts: readonly Part[], { filter, now, start, count }: PlacesWanted): FoundPlaces {
  let best: Place[] = [];
  /** What is older than this is not among the first. */
  let oldest = -Infinity;
  let total = 0;
  const latest = start?.createdAt ?? Infinity;
  for (const part of parts) {
    const { columns } = part;
    const { createdAt } = columns;
    const mask = maskRecords(part, filter, now);
    for (let record = columns.recordCount - 1; record >= 0; record--) {
      if (mask !== null && mask[record] !== 1) continue;
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
  return { places: best.sort(comparePlaces).slice(0, count), total };
}

import type { Instant, RecordId, Sequence, SpaceId } from '../model/ids.ts';
import type { Place } from '../model/list-place.ts';
import { type IndexFilter, maskRecords } from './filter-mask.ts';
import { idAt } from './index/columns.ts';
import type { Part } from './index/part.ts';
import { readCoveredTo } from './index/segment-id.ts';
import type { ReadFeed, Segments } from './ports.ts';

/** What the index says a listing should hold: a second source, with checksums of its own. */
export interface Passing {
  head: Sequence;
  count: number;
  /** Records that are damaged, and so not counted. */
  damaged: readonly RecordId[];
  /** How many more the index itself lacks. */
  lost: number;
  ids(): Iterable<RecordId>;
  /** Those that were created in this time, both ends included. */
  places(from?: Instant, to?: Instant): Place[];
}

interface ListedIndex {
  head: Sequence;
  parts: readonly Part[];
  damaged: ReadonlySet<RecordId>;
  lost: number;
}

export function listPassing(index: ListedIndex, filter: IndexFilter, now: Instant): Passing {
  const masked = index.parts.map((part) => ({ part, mask: maskRecords(part, filter, now) }));
  let count = 0;
  for (const { part, mask } of masked) count += mask === null ? part.columns.recordCount : countOnes(mask);
  return {
    head: index.head,
    count,
    damaged: [...index.damaged],
    lost: index.lost,
    *ids() {
      for (const { part, mask } of masked)
        for (let record = 0; record < (mask?.length ?? part.columns.recordCount); record++)
          if (mask === null || mask[record] === 1) yield idAt(part.columns, record);
    },
    places(from = -Infinity, to = Infinity) {
      const found: Place[] = [];
      for (const { part, mask } of masked) {
        const { createdAt, recordCount } = part.columns;
        for (let record = 0; record < recordCount; record++)
          if (createdAt[record]! >= from && createdAt[record]! <= to && (mask === null || mask[record] === 1))
            found.push({ createdAt: createdAt[record]!, id: idAt(part.columns, record) });
      }
      return found;
    },
  };
}

function countOnes(mask: Uint8Array): number {
  let count = 0;
  for (let record = 0; record < mask.length; record++) count += mask[record]!;
  return count;
}

/** Changes after the last segment that may have to be read for it. */
const MAX_REPLAY = 2_000;
/** Changes of a space whose segments are still read in some ten milliseconds. */
const MAX_HEAD = 200_000;

/** Whether an index that is not in memory is worth loading for a second opinion. */
export async function isQuickToLoad(store: ReadFeed & Segments, space: SpaceId): Promise<boolean> {
  const head = await store.head(space);
  if (head <= MAX_REPLAY) return true;
  if (head > MAX_HEAD) return false;
  const covered = (await store.listSegments(space)).map(readCoveredTo).filter((to) => !Number.isNaN(to));
  return head - Math.max(0, ...covered) <= MAX_REPLAY;
}

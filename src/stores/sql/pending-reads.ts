import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';

/** How long reads wait to be written together. */
export const FLUSH_AFTER_MS = 2_000;
const MAX_BATCH = 500;
/** Beyond this many records waiting to be counted, further ones are dropped, and the log says how many. */
const MAX_PENDING = 10_000;

export interface Reads {
  id: RecordId;
  reads: number;
  lastReadAt: Instant;
}
export interface ReadBatch {
  space: SpaceId;
  reads: Reads[];
}

/** Reads that are counted in memory and written now and then: a search must not cost a write. */
export interface PendingReads {
  count(space: SpaceId, ids: readonly RecordId[], at: Instant): void;
  /** The next ones to write, of one space; they are no longer pending. */
  take(): ReadBatch | null;
  putBack(batch: ReadBatch): void;
  /** Of one space, or all; returns how many records are not counted for it. */
  giveUp(space?: SpaceId): number;
  /** How many records were dropped since it was last asked. */
  takeDropped(): number;
}

export function createPendingReads(): PendingReads {
  const pending = new Map<SpaceId, Map<RecordId, Reads>>();
  let size = 0;
  let dropped = 0;

  function add(space: SpaceId, { id, reads, lastReadAt }: Reads): void {
    const counted = pending.get(space) ?? new Map<RecordId, Reads>();
    const seen = counted.get(id);
    if (seen !== undefined) {
      seen.reads += reads;
      seen.lastReadAt = Math.max(seen.lastReadAt, lastReadAt);
    } else if (size < MAX_PENDING) {
      pending.set(space, counted.set(id, { id, reads, lastReadAt }));
      size++;
    } else {
      dropped++;
    }
  }
  function remove(space: SpaceId, ids: readonly RecordId[]): void {
    const counted = pending.get(space);
    for (const id of ids) if (counted?.delete(id)) size--;
    if (counted?.size === 0) pending.delete(space);
  }
  return {
    count(space, ids, at) {
      for (const id of ids) add(space, { id, reads: 1, lastReadAt: at });
    },
    take() {
      for (const [space, counted] of pending) {
        const reads = [...counted.values()].slice(0, MAX_BATCH);
        remove(
          space,
          reads.map(({ id }) => id),
        );
        return { space, reads };
      }
      return null;
    },
    putBack({ space, reads }) {
      for (const one of reads) add(space, one);
    },
    giveUp(space) {
      const before = size;
      for (const [one, counted] of pending) if (space === undefined || one === space) remove(one, [...counted.keys()]);
      return before - size;
    },
    takeDropped() {
      const count = dropped;
      dropped = 0;
      return count;
    },
  };
}

import type { Log, Store } from '../../engine/ports.ts';
import { EngineError } from '../../model/errors.ts';
import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import { type SqlDatabase, type Steps, select, sendRows } from './statements.ts';

/** Counts reads in memory and writes them now and then. */
export interface ReadCounter {
  count(space: SpaceId, ids: readonly RecordId[], at: Instant): void;
  /** Resolves when what was counted before is written, given up, or put off since others are writing just now. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Where reads wait that are not worth a write of their own, for whoever writes or asks for them next. */
export interface ReadSpool {
  /** `full`: they are kept, and it is time to write them down; `refused`: they are not. */
  add(batches: readonly ReadBatch[]): 'kept' | 'full' | 'refused';
  /** Everything in it, which is then no longer there. */
  take(): ReadBatch[];
}

/** With a spool, a process that ends leaves what it has counted there. */
interface ReadKeeping {
  spool: ReadSpool | null;
  endsSoon: boolean;
}

export function createReadCounter(
  database: SqlDatabase,
  log: Log,
  { spool, endsSoon }: ReadKeeping = { spool: null, endsSoon: false },
): ReadCounter {
  const pending = createPendingReads();
  let timer: NodeJS.Timeout | null = null;
  let flushing: Promise<void> = Promise.resolve();

  async function writePending(): Promise<void> {
    stopTimer();
    for (const batch of spool?.take() ?? []) pending.putBack(batch);
    for (let batch = pending.take(); batch !== null; batch = pending.take()) {
      if (await tryBatch(batch)) continue;
      pending.putBack(batch);
      schedule();
      return;
    }
    const dropped = pending.takeDropped();
    if (dropped > 0) log.warn('reads_not_counted', { dropped });
  }

  /** Statistics are no reason to fail a read or to stop the program: what cannot be written is given up, and the log says so. */
  async function tryBatch(batch: ReadBatch): Promise<boolean> {
    const { space, reads } = batch;
    try {
      return await database.tryWrite({ space }, () => writeReads(batch));
    } catch (error) {
      const code = error instanceof EngineError ? error.code : 'internal';
      log.warn('reads_not_counted', { dropped: reads.length + pending.giveUp(space) + pending.takeDropped(), code });
      return true;
    }
  }

  /** False where it has to be written down now. */
  function leave(to: ReadSpool): boolean {
    const batches: ReadBatch[] = [];
    for (let batch = pending.take(); batch !== null; batch = pending.take()) batches.push(batch);
    const outcome = batches.length === 0 ? 'kept' : to.add(batches);
    if (outcome === 'refused') for (const batch of batches) pending.putBack(batch);
    return outcome === 'kept';
  }

  function schedule(): void {
    timer ??= setTimeout(flush, FLUSH_AFTER_MS).unref();
  }

  function stopTimer(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }

  function flush(): Promise<void> {
    flushing = flushing.then(writePending);
    return flushing;
  }

  return {
    count(space, ids, at) {
      pending.count(space, ids, at);
      if (ids.length > 0) schedule();
    },
    flush,
    async close() {
      await flushing;
      if (!endsSoon || spool === null || !leave(spool)) await flush();
      stopTimer();
    },
  };
}

const STATISTICS = {
  table: 'read_statistics',
  columns: ['record_id', 'reads', 'last_read_at'],
  conflict: `ON CONFLICT (space_id, record_id) DO UPDATE SET reads = read_statistics.reads + excluded.reads,
    last_read_at = CASE WHEN excluded.last_read_at > read_statistics.last_read_at THEN excluded.last_read_at ELSE read_statistics.last_read_at END`,
};

/** A record that has gone meanwhile is passed over; the lock keeps the others until they are counted. In the order of ids, so that two nodes do not block each other. */
function* writeReads({ space, reads }: ReadBatch): Steps<void> {
  const counted = new Map(reads.map((one) => [one.id, one]));
  const there = yield* select<{ id: RecordId }>(
    'SELECT id FROM records WHERE space_id = $1 AND id = ANY ($2::text[]) ORDER BY id FOR KEY SHARE',
    space,
    [...counted.keys()],
  );
  const rows = there.map(({ id }) => [id, counted.get(id)!.reads, counted.get(id)!.lastReadAt]);
  yield* sendRows({ into: STATISTICS, space, rows });
}

export function* readStatistics(
  space: SpaceId,
  ids: readonly RecordId[],
): Steps<Awaited<ReturnType<Store['readStatistics']>>> {
  const rows = yield* select<{ record_id: RecordId; reads: number; last_read_at: Instant }>(
    'SELECT record_id, reads, last_read_at FROM read_statistics WHERE space_id = $1 AND record_id = ANY ($2::text[])',
    space,
    ids,
  );
  return new Map(rows.map(({ record_id, reads, last_read_at }) => [record_id, { reads, lastReadAt: last_read_at }]));
}

/** How long reads wait to be written together. */
const FLUSH_AFTER_MS = 2_000;
const MAX_BATCH = 500;
/** Beyond this many records waiting to be counted, further ones are dropped, and the log says how many. */
const MAX_PENDING = 10_000;

interface Reads {
  id: RecordId;
  reads: number;
  lastReadAt: Instant;
}
export interface ReadBatch {
  space: SpaceId;
  reads: Reads[];
}

/** Reads that are counted in memory and written now and then: a search must not cost a write. */
function createPendingReads() {
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
  function remove(space: SpaceId, id: RecordId): void {
    const counted = pending.get(space);
    if (counted?.delete(id)) size--;
    if (counted?.size === 0) pending.delete(space);
  }
  return {
    count(space: SpaceId, ids: readonly RecordId[], at: Instant) {
      for (const id of ids) add(space, { id, reads: 1, lastReadAt: at });
    },
    /** The next ones to write, of one space; they are no longer pending. */
    take(): ReadBatch | null {
      const [next] = pending;
      if (next === undefined) return null;
      const [space, counted] = next;
      const reads = [...counted.values()].slice(0, MAX_BATCH);
      for (const { id } of reads) remove(space, id);
      return { space, reads };
    },
    putBack({ space, reads }: ReadBatch) {
      for (const one of reads) add(space, one);
    },
    /** Of one space; returns how many records are not counted for it. */
    giveUp(space: SpaceId) {
      const before = size;
      for (const id of pending.get(space)?.keys() ?? []) remove(space, id);
      return before - size;
    },
    /** How many records were dropped since it was last asked. */
    takeDropped() {
      const count = dropped;
      dropped = 0;
      return count;
    },
  };
}

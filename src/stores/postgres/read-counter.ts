import type { Log } from '../../engine/ports.ts';
import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import { createPendingReads, FLUSH_AFTER_MS, type Reads } from '../pending-reads.ts';
import type { Session } from './database.ts';
import { insertRows } from './insert-rows.ts';
import type { Transactions } from './transactions.ts';
import { translateError } from './translate-error.ts';

/** Counts reads in memory and writes them now and then. */
export interface ReadCounter {
  count(space: SpaceId, ids: readonly RecordId[], at: Instant): void;
  /** Resolves when what was counted before is written or given up. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function createReadCounter(transactions: Transactions, log: Log): ReadCounter {
  const pending = createPendingReads();
  let timer: NodeJS.Timeout | null = null;
  let flushing: Promise<void> = Promise.resolve();

  /** Statistics are no reason to fail a read or to stop the program: what cannot be written is given up, and the log says so. */
  async function writePending(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    for (let batch = pending.take(); batch !== null; batch = pending.take()) {
      const { space, reads } = batch;
      try {
        await transactions.write({ space }, (session) => writeReads(session, space, reads));
      } catch (error) {
        log.warn('reads_not_counted', {
          dropped: reads.length + pending.giveUp(space),
          code: translateError(error).code,
        });
      }
    }
    const dropped = pending.takeDropped();
    if (dropped > 0) log.warn('reads_not_counted', { dropped });
  }

  function flush(): Promise<void> {
    flushing = flushing.then(writePending);
    return flushing;
  }

  return {
    count(space, ids, at) {
      pending.count(space, ids, at);
      timer ??= setTimeout(flush, FLUSH_AFTER_MS).unref();
    },
    flush,
    close: flush,
  };
}

const ADD_UP = `
  ON CONFLICT (space_id, record_id) DO UPDATE
  SET reads = read_statistics.reads + excluded.reads, last_read_at = greatest(read_statistics.last_read_at, excluded.last_read_at)`;

/** A record that has gone meanwhile is passed over; the lock keeps the others until they are counted. In the order of ids, so that two nodes do not block each other. */
async function writeReads(session: Session, space: SpaceId, batch: readonly Reads[]): Promise<void> {
  const counted = new Map(batch.map((reads) => [reads.id, reads]));
  const { rows } = await session.query<{ id: RecordId }>(
    'SELECT id FROM records WHERE space_id = $1 AND id = ANY ($2::text[]) ORDER BY id FOR KEY SHARE',
    [space, [...counted.keys()]],
  );
  const reads = rows.map(({ id }) => [id, counted.get(id)!.reads, counted.get(id)!.lastReadAt]);
  await insertRows(session, {
    table: 'read_statistics',
    columns: ['record_id', 'reads', 'last_read_at'],
    space,
    rows: reads,
    conflict: ADD_UP,
  });
}

export async function readStatistics(
  session: Session,
  space: SpaceId,
  ids: readonly RecordId[],
): Promise<Map<RecordId, { reads: number; lastReadAt: Instant | null }>> {
  const { rows } = await session.query<{ record_id: RecordId; reads: number; last_read_at: Instant }>(
    'SELECT record_id, reads, last_read_at FROM read_statistics WHERE space_id = $1 AND record_id = ANY ($2::text[])',
    [space, ids],
  );
  return new Map(rows.map(({ record_id, reads, last_read_at }) => [record_id, { reads, lastReadAt: last_read_at }]));
}

import type { Log } from '../../engine/ports.ts';
import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import type { Session } from './database.ts';
import { insertRows } from './insert-rows.ts';
import type { Transactions } from './transactions.ts';
import { translateError } from './translate-error.ts';

const FLUSH_AFTER_MS = 2_000;
const MAX_BATCH = 500;
/** Beyond this many records waiting to be counted, further ones are dropped, and the log says how many. */
const MAX_PENDING = 10_000;

interface Reads {
  reads: number;
  lastReadAt: Instant;
}

/** Counts reads in memory and writes them now and then: a search must not cost a write. */
export interface ReadCounter {
  count(space: SpaceId, ids: readonly RecordId[], at: Instant): void;
  /** Resolves when what was counted before is written or given up. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function createReadCounter(transactions: Transactions, log: Log): ReadCounter {
  const pending = new Map<SpaceId, Map<RecordId, Reads>>();
  let size = 0;
  let dropped = 0;
  let timer: NodeJS.Timeout | null = null;
  let flushing: Promise<void> = Promise.resolve();

  /** Statistics are no reason to fail a read or to stop the program: what cannot be written is given up, and the log says so. */
  async function writePending(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const batches = [...pending].map(([space, reads]) => ({ space, reads: [...reads] }));
    pending.clear();
    size = 0;
    for (const { space, reads } of batches) {
      try {
        for (let i = 0; i < reads.length; i += MAX_BATCH) {
          await transactions.write({ space }, (session) => writeReads(session, space, reads.slice(i, i + MAX_BATCH)));
        }
      } catch (error) {
        log.warn('reads_not_counted', { dropped: reads.length, code: translateError(error).code });
      }
    }
    if (dropped > 0) log.warn('reads_not_counted', { dropped });
    dropped = 0;
  }

  function flush(): Promise<void> {
    flushing = flushing.then(writePending);
    return flushing;
  }

  return {
    count(space, ids, at) {
      const counted = pending.get(space) ?? new Map<RecordId, Reads>();
      pending.set(space, counted);
      for (const id of ids) {
        const seen = counted.get(id);
        if (seen !== undefined) {
          seen.reads += 1;
          seen.lastReadAt = Math.max(seen.lastReadAt, at);
        } else if (size < MAX_PENDING) {
          counted.set(id, { reads: 1, lastReadAt: at });
          size++;
        } else {
          dropped += 1;
        }
      }
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
async function writeReads(session: Session, space: SpaceId, batch: readonly [RecordId, Reads][]): Promise<void> {
  const counted = new Map(batch);
  const { rows } = await session.query<{ id: RecordId }>('SELECT id FROM records WHERE space_id = $1 AND id = ANY ($2::text[]) ORDER BY id FOR KEY SHARE', [
    space,
    [...counted.keys()],
  ]);
  const reads = rows.map(({ id }) => [id, counted.get(id)!.reads, counted.get(id)!.lastReadAt]);
  await insertRows(session, { table: 'read_statistics', columns: ['record_id', 'reads', 'last_read_at'], space, rows: reads, conflict: ADD_UP });
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

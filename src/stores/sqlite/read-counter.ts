import type { Log } from '../../engine/ports.ts';
import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import type { Connection } from './connection.ts';
import { translateError } from './translate-error.ts';
import type { WriterQueue } from './writer-queue.ts';

const FLUSH_AFTER_MS = 2_000;
const MAX_BATCH = 500;
/** Beyond this many records waiting to be counted, further ones are dropped, and the log says how many. */
const MAX_PENDING = 10_000;

interface Reads {
  space: SpaceId;
  id: RecordId;
  reads: number;
  lastReadAt: Instant;
}

/** Counts reads in memory and writes them now and then: a search must not cost a write, nor a writer's turn. */
export interface ReadCounter {
  count(space: SpaceId, ids: readonly RecordId[], at: Instant): void;
  /** Writes what is pending if no other process is writing just now; else it stays for the next time. */
  flush(): void;
  close(): void;
}

export function createReadCounter(connection: Connection, queue: WriterQueue, log: Log): ReadCounter {
  const pending = new Map<string, Reads>();
  let dropped = 0;
  let timer: NodeJS.Timeout | null = null;

  function writePending(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    while (pending.size > 0) {
      const batch = [...pending.entries()].slice(0, MAX_BATCH);
      if (!queue.tryWrite(() => writeReads(connection, batch))) {
        schedule();
        return;
      }
      for (const [key] of batch) pending.delete(key);
    }
    if (dropped > 0) log.warn('reads_not_counted', { dropped });
    dropped = 0;
  }

  function schedule(): void {
    timer ??= setTimeout(flush, FLUSH_AFTER_MS).unref();
  }

  /** Statistics are no reason to fail a read or to stop the program: on a full disk, say, they are given up and the log says so. */
  function flush(): void {
    try {
      writePending();
    } catch (error) {
      log.warn('reads_not_counted', { dropped: dropped + pending.size, code: translateError(error).code });
      pending.clear();
      dropped = 0;
    }
  }

  return {
    count(space, ids, at) {
      for (const id of ids) {
        const key = `${id} ${space}`;
        const seen = pending.get(key);
        if (seen !== undefined) {
          seen.reads += 1;
          seen.lastReadAt = Math.max(seen.lastReadAt, at);
        } else if (pending.size < MAX_PENDING) {
          pending.set(key, { space, id, reads: 1, lastReadAt: at });
        } else {
          dropped += 1;
        }
      }
      if (pending.size > 0) schedule();
    },
    flush,
    close() {
      flush();
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/** A record that has gone meanwhile is passed over. */
function writeReads(connection: Connection, batch: readonly [string, Reads][]): void {
  for (const [, { space, id, reads, lastReadAt }] of batch) {
    connection
      .statement(
        `INSERT INTO read_statistics (space_id, record_id, reads, last_read_at)
         SELECT space_id, id, ?, ? FROM records WHERE space_id = ? AND id = ?
         ON CONFLICT DO UPDATE SET reads = reads + excluded.reads, last_read_at = max(last_read_at, excluded.last_read_at)`,
      )
      .run(reads, lastReadAt, space, id);
  }
}

export function readStatistics(connection: Connection, space: SpaceId, ids: readonly RecordId[]): Map<RecordId, { reads: number; lastReadAt: Instant | null }> {
  const rows = connection
    .statement('SELECT record_id, reads, last_read_at FROM read_statistics WHERE space_id = ? AND record_id IN (SELECT value FROM json_each(?))')
    .all(space, JSON.stringify(ids)) as { record_id: RecordId; reads: number; last_read_at: Instant }[];
  return new Map(rows.map(({ record_id, reads, last_read_at }) => [record_id, { reads, lastReadAt: last_read_at }]));
}

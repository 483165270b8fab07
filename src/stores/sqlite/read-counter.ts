import type { Log } from '../../engine/ports.ts';
import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import { createPendingReads, FLUSH_AFTER_MS, type ReadBatch } from '../pending-reads.ts';
import type { Connection } from './connection.ts';
import { translateError } from './translate-error.ts';
import type { WriterQueue } from './writer-queue.ts';

/** Counts reads in memory and writes them now and then, and not in a writer's turn. */
export interface ReadCounter {
  count(space: SpaceId, ids: readonly RecordId[], at: Instant): void;
  /** Writes what is pending if no other process is writing just now; else it stays for the next time. */
  flush(): void;
  close(): void;
}

export function createReadCounter(connection: Connection, queue: WriterQueue, log: Log): ReadCounter {
  const pending = createPendingReads();
  let timer: NodeJS.Timeout | null = null;

  function writePending(): void {
    for (let batch = pending.take(); batch !== null; batch = pending.take()) {
      if (writeBatch(batch)) continue;
      pending.putBack(batch);
      schedule();
      return;
    }
    const dropped = pending.takeDropped();
    if (dropped > 0) log.warn('reads_not_counted', { dropped });
  }

  /** False while another process is writing. Statistics are no reason to fail a read or to stop the program: on a full disk, say, they are given up. */
  function writeBatch(batch: ReadBatch): boolean {
    try {
      return queue.tryWrite(() => writeReads(connection, batch));
    } catch (error) {
      const dropped = batch.reads.length + pending.giveUp() + pending.takeDropped();
      log.warn('reads_not_counted', { dropped, code: translateError(error).code });
      return true;
    }
  }

  function schedule(): void {
    timer ??= setTimeout(flush, FLUSH_AFTER_MS).unref();
  }

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    writePending();
  }

  return {
    count(space, ids, at) {
      pending.count(space, ids, at);
      if (ids.length > 0) schedule();
    },
    flush,
    close() {
      flush();
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/** A record that has gone meanwhile is passed over. */
function writeReads(connection: Connection, { space, reads: batch }: ReadBatch): void {
  for (const { id, reads, lastReadAt } of batch) {
    connection
      .statement(
        `INSERT INTO read_statistics (space_id, record_id, reads, last_read_at)
         SELECT space_id, id, ?, ? FROM records WHERE space_id = ? AND id = ?
         ON CONFLICT DO UPDATE SET reads = reads + excluded.reads, last_read_at = max(last_read_at, excluded.last_read_at)`,
      )
      .run(reads, lastReadAt, space, id);
  }
}

export function readStatistics(
  connection: Connection,
  space: SpaceId,
  ids: readonly RecordId[],
): Map<RecordId, { reads: number; lastReadAt: Instant | null }> {
  const rows = connection
    .statement(
      'SELECT record_id, reads, last_read_at FROM read_statistics WHERE space_id = ? AND record_id IN (SELECT value FROM json_each(?))',
    )
    .all(space, JSON.stringify(ids)) as { record_id: RecordId; reads: number; last_read_at: Instant }[];
  return new Map(rows.map(({ record_id, reads, last_read_at }) => [record_id, { reads, lastReadAt: last_read_at }]));
}

import type { Instant, SpaceId } from '../../model/ids.ts';
import type { Connection } from './connection.ts';
import { retryWhileBusy } from './retry-while-busy.ts';
import type { WriterQueue } from './writer-queue.ts';

export async function pruneReceipts(
  connection: Connection,
  queue: WriterQueue,
  { space, before, limit }: { space: SpaceId; before: Instant; limit: number },
): Promise<number> {
  const findOne = () =>
    connection.statement('SELECT 1 FROM receipts WHERE space_id = ? AND created_at < ? LIMIT 1').get(space, before);
  // Asked in every round of upkeep, and seldom with something to do: no write lock for that.
  if ((await retryWhileBusy(findOne)) === undefined) return 0;
  return queue.write(
    () => {
      const removed = connection
        .statement(
          'DELETE FROM receipts WHERE rowid IN (SELECT rowid FROM receipts WHERE space_id = ? AND created_at < ? ORDER BY created_at LIMIT ?)',
        )
        .run(space, before, Math.max(0, limit));
      return { keep: true, value: Number(removed.changes) };
    },
    { weight: limit },
  );
}

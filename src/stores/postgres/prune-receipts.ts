import type { Instant, SpaceId } from '../../model/ids.ts';
import type { Transactions } from './transactions.ts';

const OLDEST = 'SELECT key FROM receipts WHERE space_id = $1 AND created_at < $2 ORDER BY created_at LIMIT $3';

export async function pruneReceipts(
  { read, write }: Transactions,
  { space, before, limit }: { space: SpaceId; before: Instant; limit: number },
): Promise<number> {
  // Asked in every round of upkeep, and seldom with something to do.
  const { rows } = await read({ space }, (session) => session.query(OLDEST, [space, before, 1]));
  if (rows.length === 0) return 0;
  const removed = await write({ space }, (session) =>
    session.query(`DELETE FROM receipts WHERE space_id = $1 AND key IN (${OLDEST})`, [
      space,
      before,
      Math.max(0, limit),
    ]),
  );
  return removed.count;
}

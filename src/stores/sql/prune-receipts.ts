import type { Instant, SpaceId } from '../../model/ids.ts';
import type { SqlDatabase } from './sql-database.ts';
import { exists, write } from './statements.ts';

const OLDEST = 'SELECT key FROM receipts WHERE space_id = $1 AND created_at < $2 ORDER BY created_at LIMIT $3';

export async function pruneReceipts(
  database: SqlDatabase,
  space: SpaceId,
  { before, limit }: { before: Instant; limit: number },
): Promise<number> {
  // Asked in every round of upkeep, and seldom with something to do.
  if (!(await database.read({ space }, () => exists(OLDEST, space, before, 1)))) return 0;
  const remove = () =>
    write(`DELETE FROM receipts WHERE space_id = $1 AND key IN (${OLDEST})`, ...[space, before, Math.max(0, limit)]);
  return database.write({ space }, remove, { weight: limit });
}

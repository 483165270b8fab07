import type { Sequence, SpaceId } from '../../model/ids.ts';
import { listHeads as listAllHeads } from '../sql/read-records.ts';
import { runSteps } from './run-steps.ts';
import type { Transactions } from './transactions.ts';

/** A head bears the time when its transaction began, which may have been so long before the commit. */
const LONGEST_TRANSACTION_MS = 300_000;

interface SpaceHead {
  space: SpaceId;
  head: Sequence;
}

/** All of them, or those that have changed since this moment (`performance.now`). */
export async function listHeads(transactions: Transactions, since: number | null): Promise<SpaceHead[]> {
  if (since !== null) return readChangedSpaces(transactions, since - LONGEST_TRANSACTION_MS);
  return transactions.read('list_of_spaces', (session) => runSteps(session, listAllHeads()));
}

/** Which spaces have changed since this moment (`performance.now`), as far as the server's clock tells; rather one too many than one too few. */
export async function readChangedSpaces(transactions: Transactions, since: number): Promise<SpaceHead[]> {
  return transactions.read('list_of_spaces', async (session) => {
    const { rows } = await session.query<{ now: number }>('SELECT extract(epoch FROM now())::double precision AS now');
    const start = (rows[0]?.now ?? 0) - (performance.now() - since) / 1000;
    const changed = await session.query<{ space_id: SpaceId; seq: Sequence }>(
      'SELECT space_id, seq FROM feed_heads WHERE changed_at >= to_timestamp($1) ORDER BY space_id',
      [start],
    );
    return changed.rows.map(({ space_id, seq }) => ({ space: space_id, head: seq }));
  });
}

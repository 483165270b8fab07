import type { Sequence, SpaceId } from '../../model/ids.ts';
import type { Transactions } from './transactions.ts';

/** Which spaces have changed since this moment (`performance.now`), as far as the server's clock tells; rather one too many than one too few. */
export async function readChangedSpaces(transactions: Transactions, since: number): Promise<{ space: SpaceId; head: Sequence }[]> {
  return transactions.read('list_of_spaces', async (session) => {
    const { rows } = await session.query<{ now: number }>('SELECT extract(epoch FROM now())::double precision AS now');
    const start = (rows[0]?.now ?? 0) - (performance.now() - since) / 1000;
    const changed = await session.query<{ space_id: SpaceId; seq: Sequence }>('SELECT space_id, seq FROM feed_heads WHERE changed_at >= to_timestamp($1)', [
      start,
    ]);
    return changed.rows.map(({ space_id, seq }) => ({ space: space_id, head: seq }));
  });
}

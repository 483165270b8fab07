import type { SpaceId } from '../../model/ids.ts';
import type { EmbedderId } from '../../model/passage.ts';
import type { Session } from './database.ts';
import type { Transactions } from './transactions.ts';

/** Records of one transaction: it must not hold up others. */
const AT_ONCE = 300;

const NEXT =
  'SELECT DISTINCT record_id FROM vectors WHERE space_id = $1 AND record_id > $2 ORDER BY record_id LIMIT $3';
const DELETE = 'DELETE FROM vectors WHERE space_id = $1 AND embedder = $2 AND record_id > $3 AND record_id <= $4';

/** Vectors are derived from passages and make no feed entry: an index that still holds them is not wrong, only larger. */
export async function dropVectors(
  transactions: Transactions,
  { space, embedder }: { space: SpaceId; embedder: EmbedderId },
): Promise<number> {
  let dropped = 0;
  for (let last: string | undefined = ''; last !== undefined; ) {
    const from: string = last;
    const step = await transactions.write({ space }, (session) => dropNext(session, { space, embedder, from }));
    dropped += step.dropped;
    last = step.to;
  }
  return dropped;
}

async function dropNext(
  session: Session,
  { space, embedder, from }: { space: SpaceId; embedder: EmbedderId; from: string },
) {
  const { rows } = await session.query<{ record_id: string }>(NEXT, [space, from, AT_ONCE]);
  const to = rows.at(-1)?.record_id;
  if (to === undefined) return { dropped: 0, to };
  return { dropped: (await session.query(DELETE, [space, embedder, from, to])).count, to };
}

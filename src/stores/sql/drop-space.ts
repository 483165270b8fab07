import type { SpaceId } from '../../model/ids.ts';
import { lockHead } from './feed.ts';
import { type SqlDatabase, type Steps, select, send, write } from './statements.ts';

/** Rows at once: few enough that other writers get their turn in between. */
const AT_ONCE = 500;

/** Those that are removed piece by piece, since there may be very many rows; the others go with the space itself. */
const LARGE: readonly { table: string; by: string }[] = [
  { table: 'records', by: 'id' },
  { table: 'graves', by: 'record_id' },
  { table: 'receipts', by: 'key' },
  { table: 'feed', by: 'seq' },
];
/** What hangs on records, receipts and segments goes with them (foreign keys). */
const REST = ['segments', 'transfer_progress', 'public_links', 'feed_heads', 'spaces'];

/** Everything that is kept of a space which nobody uses any more. May be begun again wherever it was broken off. */
export async function dropSpace(database: SqlDatabase, space: SpaceId): Promise<void> {
  for (const { table, by } of LARGE) {
    let removed = AT_ONCE;
    while (removed === AT_ONCE)
      removed = await database.write({ space }, () => removeSome(space, table, by), { weight: AT_ONCE });
  }
  await database.write({ space }, () => removeRest(space), { scrub: true });
}

function* removeSome(space: SpaceId, table: string, by: string): Steps<number> {
  const rows = yield* select<{ place: string | number }>(
    `SELECT ${by} AS place FROM ${table} WHERE space_id = $1 ORDER BY ${by} LIMIT $2`,
    ...[space, AT_ONCE],
  );
  const last = rows.at(-1);
  if (last !== undefined) yield* write(`DELETE FROM ${table} WHERE space_id = $1 AND ${by} <= $2`, space, last.place);
  return rows.length;
}

/** In line with those who commit: what one of them has just written goes too. */
function* removeRest(space: SpaceId): Steps<void> {
  yield* lockHead(space);
  for (const table of [...LARGE.map(({ table: name }) => name), ...REST])
    yield* send(`DELETE FROM ${table} WHERE space_id = $1`, space);
}

import type { SpaceId } from '../../model/ids.ts';
import { lockHead } from './feed.ts';
import { find, type SqlDatabase, type Steps, send, write } from './statements.ts';

/** Entries at once: few enough that other writers get their turn in between. */
const AT_ONCE = 5_000;

/** What hangs on records, receipts and segments goes with them (foreign keys). */
const TABLES = [
  'record_tags',
  'records',
  'graves',
  'stamps',
  'waiting',
  'sync_links',
  'chunks',
  'sealed',
  'receipts',
  'feed',
  'segments',
  'transfer_progress',
  'public_links',
  'label_counts',
  'feed_heads',
  'spaces',
];

/** The feed, which may be very long, goes first, step by step; then everything else at once, so that what is left is never half of it. */
export async function dropSpace(database: SqlDatabase, space: SpaceId): Promise<void> {
  while ((await database.write({ space }, () => shortenFeed(space), { weight: AT_ONCE, frees: true })) > 0);
  await database.write({ space }, () => removeAll(space), { scrub: true, frees: true });
}

function* shortenFeed(space: SpaceId): Steps<number> {
  const sql = 'SELECT seq FROM feed WHERE space_id = $1 ORDER BY seq LIMIT 1 OFFSET $2';
  const last = yield* find<{ seq: number }>(sql, space, AT_ONCE);
  if (last === undefined) return 0;
  return yield* write('DELETE FROM feed WHERE space_id = $1 AND seq < $2', space, last.seq);
}

/** In line with those who commit: what one of them has just written goes too. */
function* removeAll(space: SpaceId): Steps<void> {
  yield* lockHead(space);
  for (const table of TABLES) yield* send(`DELETE FROM ${table} WHERE space_id = $1`, space);
}

import type { Condition, Housekeeping, Repair } from '../../engine/ports.ts';
import type { SpaceId } from '../../model/ids.ts';
import { countNext } from './count-labels.ts';
import { coverNext } from './cover-rows.ts';
import { lockHead } from './feed.ts';
import { inspect } from './inspect.ts';
import { mendSpace, recount, salvage } from './mend.ts';
import { mendRelations, mendVersions } from './mend-parts.ts';
import type { SqlStoreParts } from './sql-store.ts';
import { find, type SqlDatabase, type Steps, send, write } from './statements.ts';
import { dropStrays, listLost } from './stray-rows.ts';
import { verify } from './verify.ts';

export type MendingMethods = Repair & Pick<Condition, 'inspect'> & Pick<Housekeeping, 'dropSpace'>;

/** What looks through a whole database and puts it right. */
export function createMendingMethods(parts: SqlStoreParts): MendingMethods {
  const { database, replica } = parts;
  return {
    dropSpace: (space) => dropSpace(database, space),
    async inspect(space) {
      const facts = { ...(await parts.describeDatabase()), replica: replica.id, epoch: replica.epoch };
      return { ...facts, ...(await database.read({ space }, () => inspect(space))) };
    },
    mendVersions: (space, id, given) => database.write({ space }, () => mendVersions(space, id, given)),
    mendRelations: (space, id, given) => database.write({ space }, () => mendRelations(space, id, given)),
    salvage: (space, id) => database.read({ space }, () => salvage(space, id)),
    recount: (space) => database.write({ space }, () => recount(space)),
    catchUp: async (space) => (await countNext(database, space)) && coverNext(database, space),
    async mendDerived(spaces) {
      const done = await parts.mendIndexes();
      for (const space of spaces) done.push(...(await mendSpace(database, space)));
      return done;
    },
    listLost: (space) => listLost(database, space),
    dropStrays: (space) => dropStrays(database, space),
    verify: (progress) => verify(database, parts.checkDatabase, progress),
  };
}

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
async function dropSpace(database: SqlDatabase, space: SpaceId): Promise<void> {
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

import type { Feed } from '../../engine/ports.ts';
import type { Sequence, SpaceId } from '../../model/ids.ts';
import { lockHead, readHeadRow } from './feed.ts';
import { type SqlDatabase, type Steps, select, send, write } from './statements.ts';

/** Entries of one transaction: it must not hold up others. */
const AT_ONCE = 500;
/** For a reader that is further behind nothing is kept, however short ago it was seen. */
const MAX_KEPT = 1_000_000;

/** Readers are known by a lease each: its holder is how far they have come. */
function placesOf(space: SpaceId): string {
  return `feed ${space} `;
}

export function createFeedPruning(database: SqlDatabase) {
  return {
    prunedTo: async (space) => (await database.read({ space }, () => readHeadRow(space)))?.pruned ?? 0,
    async keepPlace(space, reader, { seq, until }) {
      await database.write('no_space', () =>
        write(
          `INSERT INTO leases (name, holder, until) VALUES ($1, $2, $3)
           ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until`,
          placesOf(space) + reader,
          String(seq),
          until,
        ),
      );
    },
    async pruneFeed(space, { upTo, now }) {
      const head = await database.read({ space }, () => readHeadRow(space));
      if (head === null || upTo <= head.pruned) return head?.pruned ?? 0;
      await database.write('no_space', () => forgetGone(space, now));
      const places = await database.read('no_space', () => listPlaces(space));
      const wanted = places.filter((seq) => head.seq - seq <= MAX_KEPT);
      // The last entry stays: the head can be made anew from it.
      const last = Math.min(upTo, head.seq - 1, ...wanted);
      let pruned = head.pruned;
      while (pruned < last) {
        const to = Math.min(last, pruned + AT_ONCE);
        await database.write({ space }, () => pruneSome(space, to), { weight: AT_ONCE, frees: true });
        pruned = to;
      }
      return pruned;
    },
  } satisfies Partial<Feed>;
}

function* listPlaces(space: SpaceId): Steps<Sequence[]> {
  const prefix = placesOf(space);
  const rows = yield* select<{ holder: string }>(
    'SELECT holder FROM leases WHERE name > $1 AND substr(name, 1, $2) = $1',
    prefix,
    prefix.length,
  );
  return rows.map(({ holder }) => Number(holder)).filter((seq) => Number.isSafeInteger(seq));
}

function* forgetGone(space: SpaceId, now: number): Steps<void> {
  const prefix = placesOf(space);
  yield* send(
    'DELETE FROM leases WHERE name > $1 AND substr(name, 1, $2) = $1 AND until <= $3',
    prefix,
    prefix.length,
    now,
  );
}

function* pruneSome(space: SpaceId, to: Sequence): Steps<void> {
  const head = yield* lockHead(space);
  if (head === null || head.pruned >= to) return;
  yield* send('DELETE FROM feed WHERE space_id = $1 AND seq <= $2', space, to);
  yield* send('UPDATE feed_heads SET pruned = $2 WHERE space_id = $1', space, to);
}

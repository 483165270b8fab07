import { EngineError } from '../../model/errors.ts';
import type { Instant, SpaceId } from '../../model/ids.ts';
import type { Segment, SegmentId } from '../../model/segment.ts';
import { PART_BYTES } from '../rows/segment-row.ts';
import { ABANDONED_AFTER_MS, fitsFeed, listLeaving, type SegmentSwap } from '../segment-swap.ts';
import type { Session } from './database.ts';
import { listLiveSegments, listSegments } from './segments.ts';
import type { Transactions } from './transactions.ts';

/** "lseg": two nodes that swap segments of one space stand in line here, without holding up its commits. */
const SWAP_LOCK = 0x6c736567;

/** Stages what is new, swaps in one short transaction, then clears away what was swapped out. */
export async function replaceSegments(transactions: Transactions, swap: SegmentSwap): Promise<boolean> {
  const { space, next, now } = swap;
  const sight = { space };
  const known = new Set(await transactions.read(sight, (session) => listSegments(session, space)));
  const added = next.filter(({ id }) => !known.has(id));
  for (const segment of added) await stage(transactions, { space, segment, now });
  const done = await transactions.write(sight, async (session) => {
    await session.query('SELECT pg_advisory_xact_lock($1::int, hashtext($2))', [
      SWAP_LOCK,
      `${transactions.surroundings.schema} ${space}`,
    ]);
    const fits =
      (await areStaged(session, space, added)) && fitsFeed(await listLiveSegments(session, space), swap, added);
    if (fits) swapIn(session, swap, added);
    else setState(session, space, { ids: added.map(({ id }) => id), state: 'dropped' });
    return fits;
  });
  await clearDropped(transactions, { space, now });
  return done;
}

async function stage(
  transactions: Transactions,
  { space, segment, now }: { space: SpaceId; segment: Segment; now: Instant },
): Promise<void> {
  const { id, from, to, passages, embedder, bytes } = segment;
  await transactions.write({ space }, async (session) => {
    const added = await session.query(
      `INSERT INTO segments (space_id, id, state, staged_at, from_seq, to_seq, passages, embedder, bytes)
       VALUES ($1, $2, 'staged', $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
      [space, id, now, from, to, passages, embedder, bytes.byteLength],
    );
    // A try of ours that was committed although its connection broke looks the same; anything else is another's.
    if (added.count === 0 && !(await isStagedAt(session, space, { id, now }))) {
      throw new EngineError('conflict', 'A segment with this id exists.', { details: { id } });
    }
  });
  for (let part = 0; part * PART_BYTES < bytes.byteLength; part++) {
    const piece = bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
    await transactions.write({ space }, (session) =>
      session.query(
        'INSERT INTO segment_parts (space_id, segment_id, part, bytes) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
        [space, id, part, piece],
      ),
    );
  }
}

async function isStagedAt(
  session: Session,
  space: SpaceId,
  { id, now }: { id: SegmentId; now: Instant },
): Promise<boolean> {
  const found = await session.query(
    "SELECT 1 FROM segments WHERE space_id = $1 AND id = $2 AND state = 'staged' AND staged_at = $3",
    [space, id, now],
  );
  return found.count > 0;
}

/** False when staging took so long that another process cleared it away as abandoned. */
async function areStaged(session: Session, space: SpaceId, added: readonly Segment[]): Promise<boolean> {
  const ids = added.map(({ id }) => id);
  const staged = await session.query(
    "SELECT 1 FROM segments WHERE space_id = $1 AND id = ANY ($2::text[]) AND state = 'staged' FOR UPDATE",
    [space, ids],
  );
  return staged.count === ids.length;
}

function swapIn(session: Session, swap: SegmentSwap, added: readonly Segment[]): void {
  const { space } = swap;
  setState(session, space, { ids: listLeaving(swap), state: 'dropped' });
  setState(session, space, { ids: added.map(({ id }) => id), state: 'live' });
}

function setState(
  session: Session,
  space: SpaceId,
  { ids, state }: { ids: readonly SegmentId[]; state: 'live' | 'dropped' },
): void {
  if (ids.length > 0)
    session.send('UPDATE segments SET state = $3 WHERE space_id = $1 AND id = ANY ($2::text[])', [space, ids, state]);
}

async function clearDropped(
  transactions: Transactions,
  { space, now }: { space: SpaceId; now: Instant },
): Promise<void> {
  await transactions.write({ space }, (session) =>
    session.query(
      "DELETE FROM segments WHERE space_id = $1 AND (state = 'dropped' OR state = 'staged' AND staged_at < $2)",
      [space, now - ABANDONED_AFTER_MS],
    ),
  );
}

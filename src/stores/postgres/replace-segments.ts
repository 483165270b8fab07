import { EngineError } from '../../model/errors.ts';
import type { Instant, SpaceId } from '../../model/ids.ts';
import type { Segment, SegmentId } from '../../model/segment.ts';
import type { Session } from './database.ts';
import { listLiveSegments, listSegments, PART_BYTES } from './segments.ts';
import type { Transactions } from './transactions.ts';

/** What a process that died left half written is cleared away after this long. */
const ABANDONED_AFTER_MS = 10 * 60 * 1000;
/** "lseg": two nodes that swap segments of one space stand in line here, without holding up its commits. */
const SWAP_LOCK = 0x6c736567;

export interface SegmentSwap {
  space: SpaceId;
  old: readonly SegmentId[];
  next: readonly Segment[];
  now: Instant;
}

/** Stages what is new, swaps in one short transaction, then clears away what was swapped out. */
export async function replaceSegments(transactions: Transactions, swap: SegmentSwap): Promise<boolean> {
  const { space, next, now } = swap;
  const sight = { space };
  const known = new Set(await transactions.read(sight, (session) => listSegments(session, space)));
  const added = next.filter(({ id }) => !known.has(id));
  for (const segment of added) await stage(transactions, { space, segment, now });
  const done = await transactions.write(sight, async (session) => {
    await session.query('SELECT pg_advisory_xact_lock($1::int, hashtext($2))', [SWAP_LOCK, `${transactions.surroundings.schema} ${space}`]);
    const fits = await canSwap(session, swap, added);
    if (fits) swapIn(session, swap, added);
    else setState(session, space, { ids: added.map(({ id }) => id), state: 'dropped' });
    return fits;
  });
  await clearDropped(transactions, { space, now });
  return done;
}

async function stage(transactions: Transactions, { space, segment, now }: { space: SpaceId; segment: Segment; now: Instant }): Promise<void> {
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
      session.query('INSERT INTO segment_parts (space_id, segment_id, part, bytes) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING', [space, id, part, piece]),
    );
  }
}

async function isStagedAt(session: Session, space: SpaceId, { id, now }: { id: SegmentId; now: Instant }): Promise<boolean> {
  const found = await session.query("SELECT 1 FROM segments WHERE space_id = $1 AND id = $2 AND state = 'staged' AND staged_at = $3", [space, id, now]);
  return found.count > 0;
}

/** True when `old` is all there and what would be live afterwards covers the feed from 0 without gap or overlap. */
async function canSwap(session: Session, { space, old, next }: SegmentSwap, added: readonly Segment[]): Promise<boolean> {
  if (!(await areStaged(session, space, added))) return false;
  const live = await listLiveSegments(session, space);
  const liveIds = new Set(live.map(({ id }) => id));
  if (!old.every((id) => liveIds.has(id))) return false;
  const kept = new Set(next.map(({ id }) => id));
  const leaving = new Set(old.filter((id) => !kept.has(id)));
  const ranges = live.filter(({ id }) => !leaving.has(id)).map(({ from_seq, to_seq }) => ({ from: from_seq, to: to_seq }));
  ranges.push(...added);
  ranges.sort((a, b) => a.from - b.from || a.to - b.to);
  let covered = 0;
  for (const { from, to } of ranges) {
    if (from !== covered) return false;
    covered = to;
  }
  return true;
}

/** False when staging took so long that another process cleared it away as abandoned. */
async function areStaged(session: Session, space: SpaceId, added: readonly Segment[]): Promise<boolean> {
  const ids = added.map(({ id }) => id);
  const staged = await session.query("SELECT 1 FROM segments WHERE space_id = $1 AND id = ANY ($2::text[]) AND state = 'staged' FOR UPDATE", [space, ids]);
  return staged.count === ids.length;
}

function swapIn(session: Session, { space, old, next }: SegmentSwap, added: readonly Segment[]): void {
  const kept = new Set(next.map(({ id }) => id));
  setState(session, space, { ids: old.filter((id) => !kept.has(id)), state: 'dropped' });
  setState(session, space, { ids: added.map(({ id }) => id), state: 'live' });
}

function setState(session: Session, space: SpaceId, { ids, state }: { ids: readonly SegmentId[]; state: 'live' | 'dropped' }): void {
  if (ids.length > 0) session.send('UPDATE segments SET state = $3 WHERE space_id = $1 AND id = ANY ($2::text[])', [space, ids, state]);
}

async function clearDropped(transactions: Transactions, { space, now }: { space: SpaceId; now: Instant }): Promise<void> {
  await transactions.write({ space }, (session) =>
    session.query("DELETE FROM segments WHERE space_id = $1 AND (state = 'dropped' OR state = 'staged' AND staged_at < $2)", [space, now - ABANDONED_AFTER_MS]),
  );
}

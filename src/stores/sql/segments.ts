import { EngineError } from '../../model/errors.ts';
import type { Instant, Sequence, SpaceId } from '../../model/ids.ts';
import type { EmbedderId } from '../../model/passage.ts';
import type { Segment, SegmentId } from '../../model/segment.ts';
import { exists, lock, type SqlDatabase, type Steps, select, send, write } from './statements.ts';

/** Fills a transaction: no other write waits for the disk because of a part of a segment. */
const FULL_WEIGHT = 500;
/** Written and deleted in one transaction. */
const BYTES_AT_ONCE = 2 * 1024 * 1024;

export function* listLiveSegments(space: SpaceId): Steps<readonly SegmentRow[]> {
  return yield* select<SegmentRow>(
    `SELECT ${SEGMENT_COLUMNS} FROM segments WHERE space_id = $1 AND state = 'live' ORDER BY from_seq, to_seq, id`,
    space,
  );
}

/** Stages what is new, swaps in one short transaction, then clears away what was swapped out. */
export async function replaceSegments(database: SqlDatabase, swap: SegmentSwap): Promise<boolean> {
  const { space, next } = swap;
  const sight = { space };
  const live = await database.read(sight, () => listLiveSegments(space));
  const known = new Set(live.map(({ id }) => id));
  const added = next.filter(({ id }) => !known.has(id));
  for (const segment of added) await stage(database, swap, segment);
  const done = await database.write(sight, () => swapIn(swap, added), { frees: added.length === 0 });
  await clearDropped(database, swap);
  return done;
}

async function stage(database: SqlDatabase, { space, now }: SegmentSwap, segment: Segment): Promise<void> {
  const { id, bytes } = segment;
  await database.write({ space }, () => announce(space, segment, now));
  const { pieceBytes } = database;
  const step = piecesAtOnce(database) * pieceBytes;
  for (let from = 0; from < bytes.byteLength; from += step) {
    const to = Math.min(bytes.byteLength, from + step);
    await database.write({ space }, () => writePieces(space, { id, bytes, pieceBytes, from, to }), {
      weight: FULL_WEIGHT,
    });
  }
}

function piecesAtOnce({ pieceBytes }: SqlDatabase): number {
  return Math.max(1, Math.floor(BYTES_AT_ONCE / pieceBytes));
}

interface Pieces extends Pick<Segment, 'id' | 'bytes'> {
  pieceBytes: number;
  from: number;
  to: number;
}

function* writePieces(space: SpaceId, { id, bytes, pieceBytes, from, to }: Pieces): Steps<void> {
  for (let at = from; at < to; at += pieceBytes)
    yield* send(
      'INSERT INTO segment_parts (space_id, segment_id, part, bytes) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
      space,
      id,
      at / pieceBytes,
      bytes.subarray(at, Math.min(to, at + pieceBytes)),
    );
}

function* announce(space: SpaceId, segment: Segment, now: Instant): Steps<void> {
  const { id, from, to, passages, embedder, bytes } = segment;
  const added = yield* write(
    `INSERT INTO segments (space_id, id, state, staged_at, from_seq, to_seq, passages, embedder, bytes)
     VALUES ($1, $2, 'staged', $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
    space,
    id,
    now,
    from,
    to,
    passages,
    embedder,
    bytes.byteLength,
  );
  // A try of ours that was committed although its connection broke looks the same; anything else is another's.
  if (added > 0 || (yield* isStaged(space, id, now))) return;
  throw new EngineError('conflict', 'A segment with this id exists.', { details: { id } });
}

function isStaged(space: SpaceId, id: SegmentId, stagedAt: Instant): Steps<boolean> {
  return exists(
    "SELECT 1 FROM segments WHERE space_id = $1 AND id = $2 AND state = 'staged' AND staged_at = $3",
    space,
    id,
    stagedAt,
  );
}

function* swapIn(swap: SegmentSwap, added: readonly Segment[]): Steps<boolean> {
  const { space } = swap;
  const ids = added.map(({ id }) => id);
  yield* lock('segments', space);
  // Fewer, where staging took so long that another process cleared it away as abandoned.
  const staged = yield* select(
    "SELECT 1 FROM segments WHERE space_id = $1 AND id = ANY ($2::text[]) AND state = 'staged' FOR UPDATE",
    space,
    ids,
  );
  const fits = staged.length === ids.length && fitsFeed(yield* listLiveSegments(space), swap, added);
  if (fits) {
    yield* setState(space, listLeaving(swap), 'dropped');
    yield* setState(space, ids, 'live');
  } else if (ids.length > 0) {
    yield* send(
      "UPDATE segments SET state = 'dropped' WHERE space_id = $1 AND id = ANY ($2::text[]) AND state = 'staged'",
      space,
      ids,
    );
  }
  return fits;
}

function* setState(space: SpaceId, ids: readonly SegmentId[], state: 'live' | 'dropped'): Steps<void> {
  if (ids.length > 0)
    yield* send('UPDATE segments SET state = $3 WHERE space_id = $1 AND id = ANY ($2::text[])', space, ids, state);
}

/** Where deleted pages are overwritten with zeros, this costs as much as writing them: part by part again. */
async function clearDropped(database: SqlDatabase, { space, now }: SegmentSwap): Promise<void> {
  const dropped = await database.read({ space }, () =>
    select<{ id: SegmentId }>(
      "SELECT id FROM segments WHERE space_id = $1 AND (state = 'dropped' OR state = 'staged' AND staged_at < $2)",
      space,
      now - ABANDONED_AFTER_MS,
    ),
  );
  for (const { id } of dropped) {
    let more = true;
    const deleteNext = () => deletePieces(space, id, piecesAtOnce(database));
    while (more) more = await database.write({ space }, deleteNext, { weight: FULL_WEIGHT, frees: true });
    const deleteSegment = () => send('DELETE FROM segments WHERE space_id = $1 AND id = $2', space, id);
    await database.write({ space }, deleteSegment, { scrub: true, frees: true });
  }
}

/** False when there was none left. */
function* deletePieces(space: SpaceId, id: SegmentId, pieces: number): Steps<boolean> {
  const deleted = yield* write(
    `DELETE FROM segment_parts WHERE space_id = $1 AND segment_id = $2
     AND part > (SELECT max(part) FROM segment_parts WHERE space_id = $1 AND segment_id = $2) - $3`,
    space,
    id,
    pieces,
  );
  return deleted > 0;
}

/** What a process that died left half written is cleared away after this long. */
const ABANDONED_AFTER_MS = 10 * 60 * 1000;

interface SegmentSwap {
  space: SpaceId;
  old: readonly SegmentId[];
  next: readonly Segment[];
  now: Instant;
}

function listLeaving({ old, next }: SegmentSwap): SegmentId[] {
  const kept = new Set(next.map(({ id }) => id));
  return old.filter((id) => !kept.has(id));
}

/** True when `old` is all there and what would be live afterwards covers the feed from 0 without gap or overlap. */
function fitsFeed(live: readonly SegmentRow[], swap: SegmentSwap, added: readonly Segment[]): boolean {
  const liveIds = new Set(live.map(({ id }) => id));
  if (!swap.old.every((id) => liveIds.has(id))) return false;
  const leaving = new Set(listLeaving(swap));
  const ranges = live
    .filter(({ id }) => !leaving.has(id))
    .map(({ from_seq, to_seq }) => ({ from: from_seq, to: to_seq }));
  ranges.push(...added);
  ranges.sort((a, b) => a.from - b.from || a.to - b.to);
  let covered = 0;
  for (const { from, to } of ranges) {
    if (from !== covered) return false;
    covered = to;
  }
  return true;
}

const SEGMENT_COLUMNS = 'id, from_seq, to_seq, passages, embedder, bytes';

export type SegmentRow = {
  id: SegmentId;
  from_seq: Sequence;
  to_seq: Sequence;
  passages: number;
  embedder: EmbedderId | null;
  bytes: number;
};

export function toSegment({ id, from_seq, to_seq, passages, embedder }: SegmentRow, bytes: Uint8Array): Segment {
  return { id, from: from_seq, to: to_seq, passages, embedder, bytes };
}

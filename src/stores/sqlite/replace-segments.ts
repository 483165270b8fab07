import { EngineError } from '../../model/errors.ts';
import type { Instant, SpaceId } from '../../model/ids.ts';
import type { Segment, SegmentId } from '../../model/segment.ts';
import { PART_BYTES } from '../rows/segment-row.ts';
import { ABANDONED_AFTER_MS, fitsFeed, listLeaving, type SegmentSwap } from '../segment-swap.ts';
import type { Connection } from './connection.ts';
import { retryWhileBusy } from './retry-while-busy.ts';
import { listLiveSegments, listSegments } from './segments.ts';
import type { Verdict, WriterQueue } from './writer-queue.ts';

/** Fills a transaction: no other write waits for the disk because of a part. */
const PART_WEIGHT = 500;

/** Stages what is new, swaps in one short transaction, then clears away what was swapped out. */
export async function replaceSegments(connection: Connection, queue: WriterQueue, swap: SegmentSwap): Promise<boolean> {
  const { space, next, now } = swap;
  const known = new Set(await retryWhileBusy(() => listSegments(connection, space)));
  const added = next.filter(({ id }) => !known.has(id));
  for (const segment of added) await stage(connection, queue, { space, segment, now });
  const done = await queue.write(() => {
    const fits =
      added.every(({ id }) => isStaged(connection, space, id)) &&
      fitsFeed(listLiveSegments(connection, space), swap, added);
    if (fits) swapIn(connection, swap, added);
    return { keep: fits, value: fits };
  });
  if (!done) await queue.write(() => dropStaged(connection, space, added));
  await clearDropped(connection, queue, { space, now });
  return done;
}

async function stage(
  connection: Connection,
  queue: WriterQueue,
  { space, segment, now }: { space: SpaceId; segment: Segment; now: Instant },
): Promise<void> {
  const { id, from, to, passages, embedder, bytes } = segment;
  await queue.write(() => {
    const added = connection
      .statement(
        `INSERT INTO segments (space_id, id, state, staged_at, from_seq, to_seq, passages, embedder, bytes)
         VALUES (?, ?, 'staged', ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      )
      .run(space, id, now, from, to, passages, embedder, bytes.byteLength);
    if (added.changes === 0) throw new EngineError('conflict', 'A segment with this id exists.', { details: { id } });
    return { keep: true, value: null };
  });
  for (let part = 0; part * PART_BYTES < bytes.byteLength; part++) {
    const piece = bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
    await queue.write(
      () => {
        connection
          .statement('INSERT INTO segment_parts (space_id, segment_id, part, bytes) VALUES (?, ?, ?, ?)')
          .run(space, id, part, piece);
        return { keep: true, value: null };
      },
      { weight: PART_WEIGHT },
    );
  }
}

/** False when staging took so long that another process cleared it away as abandoned. */
function isStaged(connection: Connection, space: SpaceId, id: SegmentId): boolean {
  return (
    connection.statement("SELECT 1 FROM segments WHERE space_id = ? AND id = ? AND state = 'staged'").get(space, id) !==
    undefined
  );
}

function swapIn(connection: Connection, swap: SegmentSwap, added: readonly Segment[]): void {
  const { space } = swap;
  for (const id of listLeaving(swap)) setState(connection, space, { id, state: 'dropped' });
  for (const { id } of added) setState(connection, space, { id, state: 'live' });
}

function dropStaged(connection: Connection, space: SpaceId, added: readonly Segment[]): Verdict<null> {
  for (const { id } of added) setState(connection, space, { id, state: 'dropped' });
  return { keep: true, value: null };
}

function setState(
  connection: Connection,
  space: SpaceId,
  { id, state }: { id: SegmentId; state: 'live' | 'dropped' },
): void {
  connection.statement('UPDATE segments SET state = ? WHERE space_id = ? AND id = ?').run(state, space, id);
}

/** Deleted pages are overwritten with zeros (secure_delete), so this costs as much as writing them: part by part again. */
async function clearDropped(
  connection: Connection,
  queue: WriterQueue,
  { space, now }: { space: SpaceId; now: Instant },
): Promise<void> {
  const dropped = await retryWhileBusy(
    () =>
      connection
        .statement(
          "SELECT id FROM segments WHERE space_id = ? AND (state = 'dropped' OR state = 'staged' AND staged_at < ?)",
        )
        .all(space, now - ABANDONED_AFTER_MS) as { id: SegmentId }[],
  );
  for (const { id } of dropped) {
    let more = true;
    while (more) more = await queue.write(() => deletePart(connection, space, id), { weight: PART_WEIGHT });
    await queue.write(() => deleteSegment(connection, space, id), { scrub: true });
  }
}

/** False when there was none left. */
function deletePart(connection: Connection, space: SpaceId, id: SegmentId): Verdict<boolean> {
  const deleted = connection
    .statement(
      `DELETE FROM segment_parts WHERE space_id = ?1 AND segment_id = ?2
       AND part = (SELECT max(part) FROM segment_parts WHERE space_id = ?1 AND segment_id = ?2)`,
    )
    .run(space, id);
  return { keep: true, value: deleted.changes > 0 };
}

function deleteSegment(connection: Connection, space: SpaceId, id: SegmentId): Verdict<null> {
  connection.statement('DELETE FROM segments WHERE space_id = ? AND id = ?').run(space, id);
  return { keep: true, value: null };
}

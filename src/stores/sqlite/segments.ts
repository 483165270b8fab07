import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SpaceId } from '../../model/ids.ts';
import type { Segment, SegmentId } from '../../model/segment.ts';
import { PART_BYTES, SEGMENT_COLUMNS, type SegmentRow, toSegment } from '../rows/segment-row.ts';
import { type Connection, readSnapshot } from './connection.ts';
import { retryWhileBusy } from './retry-while-busy.ts';

export function listSegments(connection: Connection, space: SpaceId): SegmentId[] {
  return listLiveSegments(connection, space).map(({ id }) => id);
}

export function listLiveSegments(connection: Connection, space: SpaceId): SegmentRow[] {
  return connection
    .statement(
      `SELECT ${SEGMENT_COLUMNS} FROM segments WHERE space_id = ? AND state = 'live' ORDER BY from_seq, to_seq, id`,
    )
    .all(space) as SegmentRow[];
}

/** Those of the ids that are still there. */
export async function readSegments(
  connection: Connection,
  space: SpaceId,
  ids: readonly SegmentId[],
): Promise<Segment[]> {
  const wanted = new Set(ids);
  const rows = await retryWhileBusy(() => listLiveSegments(connection, space).filter(({ id }) => wanted.has(id)));
  const segments: Segment[] = [];
  for (const row of rows) {
    const bytes = await retryWhileBusy(() => readBytes(connection, space, row));
    if (bytes !== null) {
      segments.push(toSegment(row, bytes));
    }
    await nextTurn();
  }
  return segments;
}

/** null when another process has swapped the segment out meanwhile. */
function readBytes(connection: Connection, space: SpaceId, row: SegmentRow): Uint8Array | null {
  return readSnapshot(connection, () => {
    const bytes = new Uint8Array(row.bytes);
    const parts = Math.ceil(row.bytes / PART_BYTES);
    for (let part = 0; part < parts; part++) {
      const piece = connection
        .statement('SELECT bytes FROM segment_parts WHERE space_id = ? AND segment_id = ? AND part = ?')
        .get(space, row.id, part) as { bytes: Uint8Array } | undefined;
      if (piece === undefined) return null;
      bytes.set(piece.bytes.subarray(0, row.bytes - part * PART_BYTES), part * PART_BYTES);
    }
    return bytes;
  });
}

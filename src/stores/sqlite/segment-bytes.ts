import type { SpaceId } from '../../model/ids.ts';
import { PART_BYTES, type SegmentRow } from '../rows/segment-row.ts';
import { type Connection, readSnapshot } from './connection.ts';

/** null when another process has swapped the segment out meanwhile. */
export function readSegmentBytes(connection: Connection, space: SpaceId, row: SegmentRow): Uint8Array | null {
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

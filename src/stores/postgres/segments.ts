import type { Sequence, SpaceId } from '../../model/ids.ts';
import type { EmbedderId } from '../../model/passage.ts';
import type { Segment, SegmentId } from '../../model/segment.ts';
import type { Session } from './database.ts';

type SegmentRow = { id: SegmentId; from_seq: Sequence; to_seq: Sequence; passages: number; embedder: EmbedderId | null; bytes: number };

/** A segment is kept in pieces, so that neither side ever holds much more than one of them beside the whole. */
export const PART_BYTES = 2 * 1024 * 1024;

export async function listSegments(session: Session, space: SpaceId): Promise<SegmentId[]> {
  return (await listLiveSegments(session, space)).map(({ id }) => id);
}

export async function listLiveSegments(session: Session, space: SpaceId): Promise<SegmentRow[]> {
  const { rows } = await session.query<SegmentRow>(
    "SELECT id, from_seq, to_seq, passages, embedder, bytes FROM segments WHERE space_id = $1 AND state = 'live' ORDER BY from_seq, to_seq, id",
    [space],
  );
  return rows;
}

/** Those of the ids that are still there. */
export async function readSegments(session: Session, space: SpaceId, ids: readonly SegmentId[]): Promise<Segment[]> {
  const wanted = new Set(ids);
  const segments: Segment[] = [];
  for (const row of await listLiveSegments(session, space)) {
    if (!wanted.has(row.id)) continue;
    const bytes = await readBytes(session, space, row);
    if (bytes !== null) segments.push({ id: row.id, from: row.from_seq, to: row.to_seq, passages: row.passages, embedder: row.embedder, bytes });
  }
  return segments;
}

/** null when another process has swapped the segment out meanwhile. */
async function readBytes(session: Session, space: SpaceId, row: SegmentRow): Promise<Uint8Array | null> {
  const bytes = new Uint8Array(row.bytes);
  for (let part = 0; part * PART_BYTES < row.bytes; part++) {
    const { rows } = await session.query<{ bytes: Uint8Array }>('SELECT bytes FROM segment_parts WHERE space_id = $1 AND segment_id = $2 AND part = $3', [
      space,
      row.id,
      part,
    ]);
    const [piece] = rows;
    if (piece === undefined) return null;
    bytes.set(piece.bytes.subarray(0, row.bytes - part * PART_BYTES), part * PART_BYTES);
  }
  return bytes;
}

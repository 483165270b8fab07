import type { SpaceId } from '../../model/ids.ts';
import { PART_BYTES, type SegmentRow } from '../rows/segment-row.ts';
import type { Session } from './database.ts';
import { quoteLiteral } from './quote.ts';

/** 16 MB: few round trips, and each well within the time that a statement may take. */
const PARTS_AT_ONCE = 8;

/** null when a part is missing. Each goes to its place as it comes, so that little more than one of them is held beside the whole. */
export async function readSegmentBytes(
  session: Session,
  space: SpaceId,
  { id, bytes: length }: SegmentRow,
): Promise<Uint8Array | null> {
  const bytes = new Uint8Array(length);
  const parts = Math.ceil(length / PART_BYTES);
  let read = 0;
  for (let first = 0; first < parts; first += PARTS_AT_ONCE) {
    const end = Math.min(first + PARTS_AT_ONCE, parts);
    const ofSegment = `space_id = ${quoteLiteral(space)} AND segment_id = ${quoteLiteral(id)}`;
    await session.readBytes(
      `SELECT bytes FROM segment_parts WHERE ${ofSegment} AND part >= ${first} AND part < ${end} ORDER BY part`,
      (piece) => {
        bytes.set(piece.subarray(0, length - read * PART_BYTES), read * PART_BYTES);
        read++;
      },
    );
    if (read !== end) return null;
  }
  return bytes;
}

import type { SpaceId } from '../../model/ids.ts';
import { SEGMENT_PIECE_BYTES, type SegmentPieces } from '../../model/segment.ts';
import type { SegmentRow } from '../sql/segments.ts';
import type { Connection } from './connection.ts';

type Read = <T>(work: () => T) => Promise<T>;

/** Bytes read between two turns of the event loop. */
const AT_ONCE = 2 * 1024 * 1024;

/** Some pieces at a time: they never change, only vanish. Null when another process has swapped the segment out meanwhile. */
export async function readSegmentBytes(
  connection: Connection,
  space: SpaceId,
  { row, read }: { row: SegmentRow; read: Read },
): Promise<Uint8Array | null> {
  if (row.bytes === 0) return new Uint8Array(0);
  const [first] = await read(() => readBetween(connection, space, { row, from: 0, to: 0 }));
  if (first === undefined || first.length === row.bytes) return first ?? null;
  const bytes = new Uint8Array(row.bytes);
  const each = Math.max(1, Math.floor(AT_ONCE / first.length));
  let length = 0;
  for (let part = 0; length < row.bytes; part += each) {
    const pieces = await read(() => readBetween(connection, space, { row, from: part, to: part + each - 1 }));
    if (pieces.length === 0) return null;
    for (const piece of pieces) {
      bytes.set(piece.subarray(0, row.bytes - length), length);
      length += piece.length;
    }
  }
  return bytes;
}

function readBetween(
  connection: Connection,
  space: SpaceId,
  { row, from, to }: { row: SegmentRow; from: number; to: number },
): Uint8Array[] {
  const sql =
    'SELECT bytes FROM segment_parts WHERE space_id = ? AND segment_id = ? AND part BETWEEN ? AND ? ORDER BY part';
  const { statement } = connection.unnamed(sql);
  return (statement.all(space, row.id, from, to) as unknown as [Uint8Array][]).map(([bytes]) => bytes);
}

function readEach(
  connection: Connection,
  space: SpaceId,
  { row, pieces }: { row: SegmentRow; pieces: readonly number[] },
) {
  const sql = `SELECT bytes FROM segment_parts WHERE space_id = ? AND segment_id = ?
    AND part IN (SELECT value FROM json_each(?)) ORDER BY part`;
  const { statement } = connection.unnamed(sql);
  return (statement.all(space, row.id, JSON.stringify(pieces)) as unknown as [Uint8Array][]).map(([bytes]) => bytes);
}

/** Where so many of the pieces between the first and the last are wanted, reading them all takes less than looking each up. */
const DENSE_SHARE = 0.6;

/** Null where the pieces are larger: earlier versions wrote them so. */
export function openPieces(connection: Connection, space: SpaceId, row: SegmentRow): SegmentPieces | null {
  const { id, from_seq: from, to_seq: to, passages, embedder, bytes: length } = row;
  const [first] = readBetween(connection, space, { row, from: 0, to: 0 });
  if (first === undefined || first.length !== Math.min(length, SEGMENT_PIECE_BYTES)) return null;
  return {
    id,
    from,
    to,
    passages,
    embedder,
    length,
    read(pieces) {
      const [start, end] = [pieces[0]!, pieces.at(-1)!];
      if (end === 0) return [first];
      const isDense = pieces.length >= DENSE_SHARE * (end - start + 1);
      const found = isDense
        ? readBetween(connection, space, { row, from: start, to: end })
        : readEach(connection, space, { row, pieces });
      if (found.length !== (isDense ? end - start + 1 : pieces.length)) return null;
      return isDense ? pieces.map((piece) => found[piece - start]!) : found;
    },
  };
}

/** A text longer than this is not tried: for each of its bits the whole of it is summed. */
const MAX_BYTES = 8192;
/** Whole numbers that JavaScript holds exactly. */
const INTEGER_BITS = 53;

type Cells = Readonly<Record<string, unknown>>;

/**
 * The row with one bit put right, where that makes it what its checksum says it was: of all rows that differ from this one in a bit, no other has that
 * sum. Null where more than a bit is wrong, or where the database has not handed out the bytes as they are.
 */
export function correctBit<Row extends Cells>(
  row: Row,
  columns: readonly string[],
  isRight: (candidate: Row) => boolean,
): Row | null {
  for (const column of columns) {
    for (const cell of listNeighbours(row[column])) {
      const candidate = { ...row, [column]: cell };
      if (isRight(candidate)) return candidate;
    }
  }
  return null;
}

/** Whether two sums of the same length differ in one bit: then it is the sum that was damaged. */
export function differInOneBit(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let bits = 0;
  for (let i = 0; i < a.length; i++) for (let rest = a[i]! ^ b[i]!; rest > 0; rest >>= 1) bits += rest & 1;
  return bits === 1;
}

/** All values that differ from this one in a bit. */
function* listNeighbours(cell: unknown): Generator<string | number> {
  if (typeof cell === 'string') {
    const bytes = Buffer.from(cell);
    if (bytes.length > MAX_BYTES) return;
    for (let i = 0; i < bytes.length * 8; i++) {
      bytes[i >> 3]! ^= 1 << (i & 7);
      yield bytes.toString();
      bytes[i >> 3]! ^= 1 << (i & 7);
    }
  } else if (typeof cell === 'number' && Number.isSafeInteger(cell)) {
    for (let i = 0; i < INTEGER_BITS; i++) yield Number(BigInt(cell) ^ (1n << BigInt(i)));
  }
  if (typeof cell === 'number') {
    const view = new DataView(new ArrayBuffer(8));
    for (let i = 0n; i < 64n; i++) {
      view.setFloat64(0, cell);
      view.setBigUint64(0, view.getBigUint64(0) ^ (1n << i));
      yield view.getFloat64(0);
    }
  }
}

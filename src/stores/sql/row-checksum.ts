import { sha256 } from '../../model/sha256.ts';
import { RECORD_COLUMNS } from './record-columns.ts';

type CheckedColumn = { readonly code: number; readonly name: string };
type Cells = Readonly<Record<string, unknown>>;

/** Release 0.1.0 wrote the hash alone, over the columns that it had. */
const FIRST_LENGTH = 32;
const FIRST_COLUMNS = 24;

/** Then a byte with this number, a bit for each column that is covered (in eight bytes), and the hash. */
const SECOND = 2;
const SECOND_MASK = 8;

/** Then no more bytes for the bits than it takes, and as much of the hash as no damage meets by chance: whoever forges a row can sum it anyway. */
const THIRD = 3;
const THIRD_HASH = 8;

/**
 * SHA-256 over the columns, in the order of their codes and an unambiguous form, together with which columns those are: one that a later release
 * adds makes no older record look damaged.
 */
export function checksumRow(row: Cells, columns: readonly CheckedColumn[] = RECORD_COLUMNS): Buffer {
  const { mask, names } = coverageOf(columns);
  return Buffer.concat([mask, hashCells(row, names).subarray(0, THIRD_HASH)]);
}

interface Coverage {
  mask: Buffer;
  /** In the order of their codes. */
  names: readonly string[];
}

const coverages = new WeakMap<readonly CheckedColumn[], Coverage>();

function coverageOf(columns: readonly CheckedColumn[]): Coverage {
  const known = coverages.get(columns);
  if (known !== undefined) return known;
  const mask = Buffer.alloc(2 + (Math.max(0, ...columns.map(({ code }) => code)) >> 3), 0);
  mask[0] = THIRD;
  for (const { code } of columns) mask[1 + (code >> 3)]! |= 1 << (code & 7);
  const names = columns.toSorted((a, b) => a.code - b.code).map(({ name }) => name);
  coverages.set(columns, { mask, names });
  return { mask, names };
}

/** Whether the row still has what it had in the columns that the checksum covers. */
export function matchesChecksum(
  row: Cells,
  checksum: Uint8Array,
  columns: readonly CheckedColumn[] = RECORD_COLUMNS,
): boolean {
  const { mask, hash } = splitChecksum(checksum);
  const covers = ({ code }: CheckedColumn) =>
    mask === null ? code < FIRST_COLUMNS : (((mask[code >> 3] ?? 0) >> (code & 7)) & 1) === 1;
  const { names } = coverageOf(columns.every(covers) ? columns : columns.filter(covers));
  return hash.length >= THIRD_HASH && hashCells(row, names).subarray(0, hash.length).equals(hash);
}

/** A null mask: the columns that there were first. */
function splitChecksum(checksum: Uint8Array): { mask: Uint8Array | null; hash: Uint8Array } {
  if (checksum.length === FIRST_LENGTH) return { mask: null, hash: checksum };
  const maskBytes = checksum[0] === SECOND ? SECOND_MASK : checksum.length - 1 - THIRD_HASH;
  const isKnown = checksum[0] === SECOND || checksum[0] === THIRD;
  return isKnown && maskBytes > 0
    ? { mask: checksum.subarray(1, 1 + maskBytes), hash: checksum.subarray(1 + maskBytes) }
    : { mask: new Uint8Array(0), hash: new Uint8Array(0) };
}

function hashCells(row: Cells, names: readonly string[]): Buffer {
  return sha256(JSON.stringify(names.map((name) => row[name])));
}

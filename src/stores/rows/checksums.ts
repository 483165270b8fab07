import { createHash } from 'node:crypto';
import type { Passage } from '../../model/passage.ts';
import { RECORD_COLUMNS } from './record-columns.ts';

type CheckedColumn = { readonly code: number; readonly name: string };
type Cells = Readonly<Record<string, unknown>>;

/** Release 0.1.0 wrote the hash alone, over the columns that it had. */
const FIRST_LENGTH = 32;
const FIRST_COLUMNS = 24;

/** Then a byte with this number, a bit for each column that is covered, and the hash. */
const SECOND = 2;
const MASK_BYTES = 8;

/**
 * SHA-256 over the columns, in the order of their codes and an unambiguous form, together with which columns those are: one that a later release
 * adds makes no older record look damaged.
 */
export function checksumRow(row: Cells, columns: readonly CheckedColumn[] = RECORD_COLUMNS): Buffer {
  const { mask, names } = coverageOf(columns);
  return Buffer.concat([mask, hashCells(row, names)]);
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
  const mask = Buffer.alloc(1 + MASK_BYTES, 0);
  mask[0] = SECOND;
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
  const isFirst = checksum.length === FIRST_LENGTH;
  const covered = columns.filter(({ code }) =>
    isFirst ? code < FIRST_COLUMNS : ((checksum[1 + (code >> 3)] ?? 0) >> (code & 7)) & 1,
  );
  const expected = isFirst ? hashCells(row, coverageOf(covered).names) : checksumRow(row, covered);
  return expected.compare(checksum) === 0;
}

export function checksumPassages(passages: readonly Passage[]): Buffer {
  return sha256(JSON.stringify(passages.map(({ ordinal, text }) => [ordinal, text])));
}

/** A version's record is one text, which holds whatever fields it had. */
export function checksumVersion({
  state,
  replaced_at,
  reason,
}: {
  state: string;
  replaced_at: number;
  reason: string | null;
}): Buffer {
  return sha256(JSON.stringify([state, replaced_at, reason]));
}

function hashCells(row: Cells, names: readonly string[]): Buffer {
  return sha256(JSON.stringify(names.map((name) => row[name])));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

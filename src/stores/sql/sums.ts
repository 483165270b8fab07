import { crc32 } from 'node:zlib';
import type { RowCounts } from '../../model/damage.ts';
import { EngineError } from '../../model/errors.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import { type LabelTally, newLabelTally } from './label-counts.ts';
import type { SqlValue } from './statements.ts';

type Cell = string | number | null | Uint8Array;
type Cells = Readonly<Record<string, unknown>>;

/** A CRC-32 over cells in this order: of rows that are small, or can be made anew. Any flipped bit shows. */
function sumCells(cells: readonly unknown[]): number {
  let text = '';
  let sum = 0;
  for (const cell of cells as readonly Cell[]) {
    if (cell instanceof Uint8Array) sum = crc32(cell, sum);
    else text += cell === null ? '\u0001\0' : `${cell}\0`;
  }
  return crc32(text, sum);
}

/** Columns whose cells, in this order, have their sum in the column `crc` after them; null there: written by a release that kept none. */
export interface SummedTable {
  readonly table: string;
  /** After `space_id`; without `crc`. */
  readonly columns: readonly string[];
}

export function summedColumns({ columns }: SummedTable): string[] {
  return [...columns, 'crc'];
}

/** The values of the columns with their sum at the end. */
export function withSum(values: readonly SqlValue[]): SqlValue[] {
  return [...values, sumCells(values)];
}

export function matchesSum(row: Cells & { crc: number | null }, { columns }: SummedTable): boolean {
  return row.crc === null || sumCells(columns.map((column) => row[column])) === row.crc;
}

export const FEED: SummedTable = {
  table: 'feed',
  columns: ['seq', 'at', 'op', 'record_id', 'kind', 'revision', 'actor', 'to_id', 'relation_type'],
};
export const GRAVES: SummedTable = { table: 'graves', columns: ['record_id', 'generation', 'purged_at'] };
export const RELATIONS: SummedTable = {
  table: 'relations',
  columns: ['from_id', 'to_id', 'type', 'weight', 'created_at', 'body'],
};
export const VECTORS: SummedTable = {
  table: 'vectors',
  columns: ['record_id', 'ordinal', 'embedder', 'scale', 'bytes'],
};
export const STAMPS: SummedTable = { table: 'stamps', columns: ['record_id', 'generation', 'state'] };
export const LINKS: SummedTable = { table: 'sync_links', columns: ['name', 'state'] };
export const RECEIPTS: SummedTable = { table: 'receipts', columns: ['key', 'fingerprint', 'created_at', 'answer'] };
/** Without `clean` and `stored_at`, which change when it comes or is asked for again. */
export const CHUNKS: SummedTable = { table: 'chunks', columns: ['sha256', 'bytes', 'lines', 'alias', 'packed'] };

export const SEALED: SummedTable = {
  table: 'sealed',
  columns: [
    'upload',
    'slot',
    'seq',
    'generation',
    'buried',
    'key_id',
    'member',
    'tag',
    'link',
    'user_id',
    'stored_at',
    'body',
  ],
};

export const COUNTED = ['records', 'live', 'versions', 'relations', 'graves'] as const satisfies (keyof RowCounts)[];

export type HeadRow = { seq: number; crc: number | null } & { [Name in keyof RowCounts]: number | null };

export const HEAD_COLUMNS = ['seq', ...COUNTED, 'crc'].join(', ');

/** In the order of the columns; counts that nobody has taken yet are null. */
export function headValues(space: SpaceId, seq: number, counts: RowCounts | null): SqlValue[] {
  const cells = [seq, ...COUNTED.map((name) => counts?.[name] ?? null)];
  return [...cells, sumCells([space, ...cells])];
}

/** Throws where the row is not what was written: nobody could say how far the feed goes. */
export function checkHead(space: SpaceId, row: HeadRow): void {
  if (row.crc === null || sumCells([space, row.seq, ...COUNTED.map((name) => row[name])]) === row.crc) return;
  throw new EngineError('storage_damaged', `The head of the feed of space ${space} is damaged.`, {
    hint: '`ltm doctor --repair` makes it anew from the feed.',
    details: { what: 'head', id: space },
  });
}

export function countsOf(row: HeadRow): RowCounts | null {
  const counts = noRows();
  for (const name of COUNTED) {
    const count = row[name];
    if (count === null) return null;
    counts[name] = count;
  }
  return counts;
}

export function noRows(): RowCounts {
  return { records: 0, live: 0, versions: 0, relations: 0, graves: 0 };
}

/** What a commit does to the counts. */
export interface Tally {
  readonly change: RowCounts;
  readonly labels: LabelTally;
  /** It met a row that is damaged: nobody knows what such a row was counted as, so all are counted again. */
  isUnsure: boolean;
}

/** `counted`: see LabelTally. */
export function newTally(counted: RecordId): Tally {
  return { change: noRows(), labels: newLabelTally(counted), isUnsure: false };
}

export function addTally(counts: RowCounts | null, { change, isUnsure }: Tally): RowCounts | null {
  if (counts === null || isUnsure) return null;
  const sums = noRows();
  for (const name of COUNTED) sums[name] = counts[name] + change[name];
  return sums;
}

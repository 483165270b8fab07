import { crc32 } from 'node:zlib';
import { EngineError } from '../../model/errors.ts';
import type { Dot, Instant, RecordId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { RecordVersion, StoredRecord } from '../../model/record.ts';
import type { Relation } from '../../model/relation.ts';
import { sha256 } from '../../model/sha256.ts';
import { RECORD_COLUMNS } from './record-columns.ts';
import { matchesChecksum } from './row-checksum.ts';
import type { SqlValue } from './statements.ts';

type Column = (typeof RECORD_COLUMNS)[number];

/** A row of `records`, column by column. */
export type RecordRow = {
  [C in Column as C['name']]: C extends { json: true } ? string : StoredRecord[C['field']];
};

/** What a row has beside the record itself. The sums that may be null are so in rows of earlier releases. */
export type RecordRowWithSums = RecordRow & {
  feed_seq: number;
  checksum: Uint8Array;
  passages_checksum: Uint8Array;
  quick: number | null;
  versions_sum: number | null;
  content_sum: number | null;
};

/** A row as it is read for an answer: the long checksum comes along only where there is no quick one. */
export type CheckedRow = RecordRow & { quick: number | null; checksum: Uint8Array | null };

const COLUMN_LIST = RECORD_COLUMNS.map(({ name }) => name).join(', ');
export const CHECKED_COLUMN_LIST = `${COLUMN_LIST}, quick, CASE WHEN quick IS NULL THEN checksum END AS checksum`;
const SUM_COLUMNS = ['feed_seq', 'checksum', 'passages_checksum', 'quick', 'versions_sum', 'content_sum'] as const;
export const ALL_RECORD_COLUMNS: readonly (keyof RecordRowWithSums)[] = [
  ...RECORD_COLUMNS.map(({ name }) => name),
  ...SUM_COLUMNS,
];

type Sums = Omit<RecordRowWithSums, keyof RecordRow>;

/** In the order of all columns. */
export function rowValues(row: RecordRow, sums: Sums): SqlValue[] {
  const values: SqlValue[] = [];
  for (const { name } of RECORD_COLUMNS) values.push(row[name] ?? null);
  for (const name of SUM_COLUMNS) values.push(sums[name]);
  return values;
}

type Cells = Readonly<Record<string, unknown>>;

/** A CRC-32 and, above it, how many columns it covers: those with the lowest codes. */
const QUICK = 2 ** 32;
const NAMES_BY_CODE = RECORD_COLUMNS.toSorted((a, b) => a.code - b.code).map(({ name }) => name);

/**
 * Read with every answer, so it takes a microsecond where the checksum takes four: any flipped bit shows, and other damage but once in four
 * thousand million.
 */
export function quickSum(row: Cells, columns: number = NAMES_BY_CODE.length): number {
  let text = '';
  for (let i = 0; i < columns; i++) {
    const cell = row[NAMES_BY_CODE[i]!];
    text += cell === null ? '\u0001\0' : `${cell}\0`;
  }
  return columns * QUICK + crc32(text);
}

/** What the first quick sums covered: one that says less was not written by us. */
const FEWEST_SUMMED = 27;

/** Whether the row is still what was written. */
export function isAsWritten(row: CheckedRow): boolean {
  if (row.quick === null) return row.checksum !== null && matchesChecksum(row, row.checksum);
  const columns = Math.floor(row.quick / QUICK);
  return columns >= FEWEST_SUMMED && columns <= NAMES_BY_CODE.length && quickSum(row, columns) === row.quick;
}

/**
 * Of the content with its place in a listing, so that a look through all contents passes over none that is damaged, nor takes one for another's:
 * an index may be damaged too.
 */
export function sumContent({ id, created_at, content }: Pick<RecordRow, 'id' | 'created_at' | 'content'>): number {
  return crc32(content, crc32(`${created_at} ${id}`));
}

/** The record of the row, or null where the row is damaged. */
export function toSoundRecord(row: CheckedRow): StoredRecord | null {
  return isAsWritten(row) ? toStoredRecord(row) : null;
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

/** JSON that we wrote ourselves: if it does not parse, the file is damaged. */
export function parseColumn<T>(text: string, owner: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new EngineError('storage_damaged', 'A row in the database is damaged.', {
      hint: 'Run `ltm doctor`.',
      details: { owner },
      cause,
    });
  }
}

type Fields = { -readonly [Field in keyof StoredRecord]: unknown };
type RowCells = { [Name in keyof RecordRow]: unknown };

const JSON_COLUMNS = RECORD_COLUMNS.filter((column) => 'json' in column);

/** Copied and then filled: objects of one shape from the start are made and read faster than those that grow. */
const NO_FIELDS = Object.fromEntries(RECORD_COLUMNS.map(({ field }) => [field, null])) as Fields;
const NO_CELLS = Object.fromEntries(RECORD_COLUMNS.map(({ name }) => [name, null])) as RowCells;

export function toRow(record: StoredRecord): RecordRow {
  const cells: RowCells = { ...NO_CELLS };
  for (const { name, field } of RECORD_COLUMNS) cells[name] = record[field];
  for (const { name, field } of JSON_COLUMNS) cells[name] = JSON.stringify(record[field]);
  if (cells.body === USUAL_BODY) cells.body = '';
  return cells as RecordRow;
}

/** What most memories have. */
const USUAL_BODY = '{"metadata":{}}';

/** As earlier releases wrote it, who wrote that one, too. */
export function toEarlierRow(record: StoredRecord): RecordRow {
  const row = toRow(record);
  return row.body === '' ? { ...row, body: USUAL_BODY } : row;
}

export function toStoredRecord(row: RecordRow): StoredRecord {
  const record: Fields = { ...NO_FIELDS };
  for (const { name, field } of RECORD_COLUMNS) record[field] = row[name];
  for (const { name, field } of JSON_COLUMNS)
    record[field] = name === 'body' && row.body === '' ? { metadata: {} } : parseColumn(row[name], row.id);
  return record as StoredRecord;
}

export type VersionRow = {
  dot: Dot;
  replaced_at: Instant;
  reason: string | null;
  checksum: Uint8Array;
  state: string;
};

export const VERSION_COLUMNS = ['dot', 'revision', 'replaced_at', 'reason', 'checksum', 'state'];

/** States that release 0.1.0 wrote have neither generation nor dot; what has one is covered by the checksum, unlike the column. */
export function toVersion({ dot, replaced_at, reason, state }: VersionRow, id: RecordId): RecordVersion {
  type State = Omit<StoredRecord, 'generation' | 'dot'> & { generation?: number; dot?: Dot };
  const record = parseColumn<State>(state, id);
  return {
    record: { ...record, generation: record.generation ?? 1, dot: record.dot ?? dot },
    replacedAt: replaced_at,
    reason,
  };
}

/** How many versions there are, and above that a sum of their checksums: none can vanish unseen. */
export function sumVersions(checksums: readonly Uint8Array[], before = 0): number {
  let sum = before % QUICK;
  for (const checksum of checksums) sum = (sum + crc32(checksum)) % QUICK;
  return (Math.floor(before / QUICK) + checksums.length) * QUICK + sum;
}

export function countVersions(sum: number): number {
  return Math.floor(sum / QUICK);
}

export type NewVersionRow = VersionRow & { revision: number };

export function toVersionRow({ record, replacedAt, reason }: RecordVersion): NewVersionRow {
  const state = JSON.stringify(record);
  const checksum = checksumVersion({ state, replaced_at: replacedAt, reason });
  return { dot: record.dot, revision: record.revision, replaced_at: replacedAt, reason, checksum, state };
}

/** In the order of the columns. */
export function versionValues(row: NewVersionRow): (string | number | null | Uint8Array)[] {
  return [row.dot, row.revision, row.replaced_at, row.reason, row.checksum, row.state];
}

export type RelationRow = {
  from_id: RecordId;
  to_id: RecordId;
  type: string;
  weight: number;
  created_at: Instant;
  body: string;
  crc: number | null;
};

export function toRelation({ from_id, to_id, type, weight, created_at, body }: RelationRow): Relation {
  return {
    from: from_id,
    to: to_id,
    type,
    weight,
    body: parseColumn<JsonObject>(body, from_id),
    createdAt: created_at,
  };
}

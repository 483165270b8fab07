import type { StoredRecord } from '../../model/record.ts';
import { parseColumn } from './parse-column.ts';
import { RECORD_COLUMNS, type RecordRow } from './record-columns.ts';

type Fields = { -readonly [Field in keyof StoredRecord]: unknown };
type Cells = { [Name in keyof RecordRow]: unknown };

const JSON_COLUMNS = RECORD_COLUMNS.filter((column) => 'json' in column);

/** Copied and then filled: objects of one shape from the start are made and read faster than those that grow. */
const NO_FIELDS = Object.fromEntries(RECORD_COLUMNS.map(({ field }) => [field, null])) as Fields;
const NO_CELLS = Object.fromEntries(RECORD_COLUMNS.map(({ name }) => [name, null])) as Cells;

export function toRow(record: StoredRecord): RecordRow {
  const cells: Cells = { ...NO_CELLS };
  for (const { name, field } of RECORD_COLUMNS) cells[name] = record[field];
  for (const { name, field } of JSON_COLUMNS) cells[name] = JSON.stringify(record[field]);
  return cells as RecordRow;
}

export function toStoredRecord(row: RecordRow): StoredRecord {
  const record: Fields = { ...NO_FIELDS };
  for (const { name, field } of RECORD_COLUMNS) record[field] = row[name];
  for (const { name, field } of JSON_COLUMNS) record[field] = parseColumn(row[name], row.id);
  return record as StoredRecord;
}

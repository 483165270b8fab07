import type { StoredRecord } from '../../model/record.ts';
import { parseColumn } from './parse-column.ts';
import { RECORD_COLUMNS, type RecordRow } from './record-columns.ts';

type Fields = { -readonly [Field in keyof StoredRecord]: unknown };
type Cells = { [Name in keyof RecordRow]: unknown };

/** Copied and then filled: objects of one shape from the start are made and read faster than those that grow. */
const NO_FIELDS = Object.fromEntries(RECORD_COLUMNS.map(({ field }) => [field, null])) as Fields;

export function toRow(record: StoredRecord): RecordRow {
  const cells = RECORD_COLUMNS.map((column) => [
    column.name,
    'json' in column ? JSON.stringify(record[column.field]) : record[column.field],
  ]);
  return Object.fromEntries(cells) as RecordRow;
}

export function toStoredRecord(row: RecordRow): StoredRecord {
  const record: Fields = { ...NO_FIELDS };
  const cells: Cells = row;
  for (const column of RECORD_COLUMNS) {
    const cell = cells[column.name];
    record[column.field] = 'json' in column ? parseColumn(String(cell), row.id) : cell;
  }
  return record as StoredRecord;
}

import { COLUMN_FIELDS } from '../../model/memory-fields.ts';
import type { StoredRecord } from '../../model/record.ts';

export const EXPORT_FORMAT = 'ltm-export';
export const EXPORT_VERSION = 1;

export interface ExportCounts {
  records: number;
  versions: number;
  relations: number;
}

/** A record outside of its store: the space is that of whoever imports it. */
export type ExportedRecord = Omit<StoredRecord, 'space'>;

/** In a fixed order, so that the same record always gives the same line. */
const EXPORTED = [
  ...new Set([
    ...(['id', 'kind', 'revision', 'key', 'type', 'title', 'content', 'contentHash'] as const),
    ...COLUMN_FIELDS,
    'body' as const,
  ]),
];

export function exportedRecord(record: StoredRecord | ExportedRecord): ExportedRecord {
  return Object.fromEntries(EXPORTED.map((name) => [name, record[name]])) as Pick<ExportedRecord, keyof ExportedRecord>;
}

import type { ImportedState } from '../../model/change.ts';
import { COLUMN_FIELDS } from '../../model/memory-fields.ts';
import type { StoredRecord } from '../../model/record.ts';

export const EXPORT_FORMAT = 'ltm-export';
/** 1 had neither generations, dots nor graves. */
export const EXPORT_VERSION = 2;

export interface ExportCounts {
  records: number;
  versions: number;
  relations: number;
  graves: number;
}

/** A record outside of its store: the space is that of whoever imports it. */
export type ExportedRecord = Omit<ImportedState, 'space'>;

/** In this order, so that the same record always gives the same line. */
const EXPORTED = [
  ...new Set([
    ...(['id', 'kind', 'revision', 'key', 'type', 'title', 'content', 'contentHash'] as const),
    ...COLUMN_FIELDS,
    ...(['body', 'generation', 'dot'] as const),
  ]),
];

export function exportedRecord(record: StoredRecord | ExportedRecord): ExportedRecord {
  const fields = EXPORTED.map((name) => [name, record[name]]);
  return Object.fromEntries(fields) as Pick<ExportedRecord, keyof ExportedRecord>;
}

import type { ImportedState } from '../../model/change.ts';
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
const EXPORTED_FIELDS = [
  ...(['id', 'kind', 'revision', 'key', 'type', 'title', 'content', 'contentHash', 'tags', 'project'] as const),
  ...(['agent', 'session', 'conversation', 'source', 'trust', 'quality', 'createdAt', 'updatedAt'] as const),
  ...(['validFrom', 'validUntil', 'supersededBy', 'deletedAt', 'body', 'generation', 'dot'] as const),
] satisfies readonly (keyof ExportedRecord)[];

export function exportedRecord(record: StoredRecord | ExportedRecord): ExportedRecord {
  return Object.fromEntries(EXPORTED_FIELDS.map((field) => [field, record[field]])) as Pick<
    ExportedRecord,
    (typeof EXPORTED_FIELDS)[number]
  >;
}

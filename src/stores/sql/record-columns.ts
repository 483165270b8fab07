import type { StoredRecord } from '../../model/record.ts';

interface RecordColumn {
  /** What checksums call it; never given to another column. */
  code: number;
  name: string;
  field: keyof StoredRecord;
  /** Kept as JSON. */
  json?: true;
}

/** The columns of `records` that hold a record. A new field is a line here and a column in a migration of each store. */
export const RECORD_COLUMNS = [
  { code: 0, name: 'space_id', field: 'space' },
  { code: 1, name: 'id', field: 'id' },
  { code: 2, name: 'revision', field: 'revision' },
  { code: 3, name: 'kind', field: 'kind' },
  { code: 4, name: 'key', field: 'key' },
  { code: 5, name: 'type', field: 'type' },
  { code: 6, name: 'content_hash', field: 'contentHash' },
  { code: 7, name: 'project', field: 'project' },
  { code: 8, name: 'agent', field: 'agent' },
  { code: 9, name: 'session', field: 'session' },
  { code: 10, name: 'conversation', field: 'conversation' },
  { code: 11, name: 'trust', field: 'trust' },
  { code: 12, name: 'quality', field: 'quality' },
  { code: 13, name: 'created_at', field: 'createdAt' },
  { code: 14, name: 'updated_at', field: 'updatedAt' },
  { code: 15, name: 'valid_from', field: 'validFrom' },
  { code: 16, name: 'valid_until', field: 'validUntil' },
  { code: 17, name: 'superseded_by', field: 'supersededBy' },
  { code: 18, name: 'deleted_at', field: 'deletedAt' },
  { code: 19, name: 'source', field: 'source', json: true },
  { code: 20, name: 'tags', field: 'tags', json: true },
  { code: 21, name: 'title', field: 'title' },
  { code: 22, name: 'body', field: 'body', json: true },
  { code: 23, name: 'content', field: 'content' },
  { code: 24, name: 'generation', field: 'generation' },
  { code: 25, name: 'dot', field: 'dot' },
  { code: 26, name: 'author', field: 'author' },
  { code: 27, name: 'workspace', field: 'workspace' },
] as const satisfies readonly RecordColumn[];

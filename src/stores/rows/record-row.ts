import { createHash } from 'node:crypto';
import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Passage } from '../../model/passage.ts';
import type { RecordKind, Source, StoredRecord, Trust } from '../../model/record.ts';
import { parseColumn } from './parse-column.ts';

/** A row of `records`, column by column. */
export type RecordRow = {
  space_id: SpaceId;
  id: RecordId;
  revision: number;
  kind: RecordKind;
  key: string | null;
  type: string;
  content_hash: string;
  project: string | null;
  agent: string | null;
  session: string | null;
  conversation: string | null;
  trust: Trust;
  quality: number;
  created_at: Instant;
  updated_at: Instant;
  valid_from: Instant | null;
  valid_until: Instant | null;
  superseded_by: RecordId | null;
  deleted_at: Instant | null;
  source: string;
  tags: string;
  title: string | null;
  body: string;
  content: string;
};

/** The same without the names, in the order of RECORD_COLUMNS. */
export type RecordValues = ValuesOf<typeof CHECKED_COLUMNS>;
type ValuesOf<Columns extends readonly (keyof RecordRow)[]> = { readonly [K in keyof Columns]: RecordRow[Columns[K]] };

/** What a row has beside the record itself. */
export type RecordRowWithSums = RecordRow & { feed_seq: number; checksum: Uint8Array; passages_checksum: Uint8Array };

const CHECKED_COLUMNS = [
  'space_id',
  'id',
  'revision',
  'kind',
  'key',
  'type',
  'content_hash',
  'project',
  'agent',
  'session',
  'conversation',
  'trust',
  'quality',
  'created_at',
  'updated_at',
  'valid_from',
  'valid_until',
  'superseded_by',
  'deleted_at',
  'source',
  'tags',
  'title',
  'body',
  'content',
] as const satisfies readonly (keyof RecordRow)[];

export const RECORD_COLUMNS = CHECKED_COLUMNS.join(', ');
export const ALL_RECORD_COLUMNS = [...CHECKED_COLUMNS, 'feed_seq', 'checksum', 'passages_checksum'] as const;

export function toRow(record: StoredRecord): RecordRow {
  return {
    space_id: record.space,
    id: record.id,
    revision: record.revision,
    kind: record.kind,
    key: record.key,
    type: record.type,
    content_hash: record.contentHash,
    project: record.project,
    agent: record.agent,
    session: record.session,
    conversation: record.conversation,
    trust: record.trust,
    quality: record.quality,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    valid_from: record.validFrom,
    valid_until: record.validUntil,
    superseded_by: record.supersededBy,
    deleted_at: record.deletedAt,
    source: JSON.stringify(record.source),
    tags: JSON.stringify(record.tags),
    title: record.title,
    body: JSON.stringify(record.body),
    content: record.content,
  };
}

export function nameValues(values: RecordValues): RecordRow {
  const [space_id, id, revision, kind, key, type, content_hash, project, agent, session, conversation, trust, ...more] =
    values;
  const [
    quality,
    created_at,
    updated_at,
    valid_from,
    valid_until,
    superseded_by,
    deleted_at,
    source,
    tags,
    title,
    body,
    content,
  ] = more;
  const labels = {
    kind,
    key,
    type,
    content_hash,
    project,
    agent,
    session,
    conversation,
    trust,
    quality,
    source,
    tags,
    title,
    body,
    content,
  };
  return {
    space_id,
    id,
    revision,
    ...labels,
    created_at,
    updated_at,
    valid_from,
    valid_until,
    superseded_by,
    deleted_at,
  };
}

export function toStoredRecord(row: RecordRow): StoredRecord {
  return {
    space: row.space_id,
    id: row.id,
    revision: row.revision,
    deletedAt: row.deleted_at,
    kind: row.kind,
    key: row.key,
    type: row.type,
    title: row.title,
    content: row.content,
    contentHash: row.content_hash,
    tags: parseColumn<string[]>(row.tags, row.id),
    project: row.project,
    agent: row.agent,
    session: row.session,
    conversation: row.conversation,
    source: parseColumn<Source>(row.source, row.id),
    trust: row.trust,
    quality: row.quality,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    validFrom: row.valid_from,
    validUntil: row.valid_until,
    supersededBy: row.superseded_by,
    body: parseColumn<JsonObject>(row.body, row.id),
  };
}

/** SHA-256 over every column that means something, in a fixed order and unambiguous form. */
export function checksumRow(row: RecordRow): Buffer {
  return sha256(JSON.stringify(CHECKED_COLUMNS.map((column) => row[column])));
}

export function checksumPassages(passages: readonly Passage[]): Buffer {
  return sha256(JSON.stringify(passages.map(({ ordinal, text }) => [ordinal, text])));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

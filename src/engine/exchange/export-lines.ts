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

/** Fields in a fixed order, so that the same record always gives the same line. */
export function exportedRecord(record: StoredRecord | ExportedRecord): ExportedRecord {
  const {
    id,
    kind,
    revision,
    key,
    type,
    title,
    content,
    contentHash,
    tags,
    project,
    agent,
    session,
    conversation,
    source,
    trust,
    quality,
  } = record;
  const { createdAt, updatedAt, validFrom, validUntil, supersededBy, deletedAt, body } = record;
  return {
    id,
    kind,
    revision,
    key,
    type,
    title,
    content,
    contentHash,
    tags,
    project,
    agent,
    session,
    conversation,
    source,
    trust,
    quality,
    createdAt,
    updatedAt,
    validFrom,
    validUntil,
    supersededBy,
    deletedAt,
    body,
  };
}

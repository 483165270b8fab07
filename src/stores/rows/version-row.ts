import { createHash } from 'node:crypto';
import type { Instant, RecordId } from '../../model/ids.ts';
import type { RecordVersion, StoredRecord } from '../../model/record.ts';
import { parseColumn } from './parse-column.ts';

export type VersionRow = { replaced_at: Instant; reason: string | null; state: string };

export function toVersion({ replaced_at, reason, state }: VersionRow, id: RecordId): RecordVersion {
  return { record: parseColumn<StoredRecord>(state, id), replacedAt: replaced_at, reason };
}

export const VERSION_COLUMNS = ['revision', 'replaced_at', 'reason', 'checksum', 'state'] as const;

/** In the order of the columns. */
export function versionValues({
  record,
  replacedAt,
  reason,
}: RecordVersion): [number, Instant, string | null, Buffer, string] {
  const state = JSON.stringify(record);
  return [record.revision, replacedAt, reason, checksumVersion({ state, replaced_at: replacedAt, reason }), state];
}

export function checksumVersion({ state, replaced_at, reason }: VersionRow): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([state, replaced_at, reason]))
    .digest();
}

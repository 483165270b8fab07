import type { Dot, Instant, RecordId } from '../../model/ids.ts';
import type { RecordVersion, StoredRecord } from '../../model/record.ts';
import { checksumVersion } from './checksums.ts';
import { parseColumn } from './parse-column.ts';

export type VersionRow = { dot: Dot; replaced_at: Instant; reason: string | null; state: string };

export const VERSION_COLUMNS = ['dot', 'revision', 'replaced_at', 'reason', 'checksum', 'state'];

/** States that release 0.1.0 wrote have neither generation nor dot. */
export function toVersion({ dot, replaced_at, reason, state }: VersionRow, id: RecordId): RecordVersion {
  const { generation = 1, ...record } = parseColumn<Omit<StoredRecord, 'generation'> & { generation?: number }>(
    state,
    id,
  );
  return { record: { ...record, generation, dot }, replacedAt: replaced_at, reason };
}

/** In the order of the columns. */
export function versionValues({ record, replacedAt, reason }: RecordVersion): (string | number | null | Uint8Array)[] {
  const state = JSON.stringify(record);
  const checksum = checksumVersion({ state, replaced_at: replacedAt, reason });
  return [record.dot, record.revision, replacedAt, reason, checksum, state];
}

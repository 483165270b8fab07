import type { CommitConflict } from '../../model/change.ts';
import type { RecordId, Sequence, SpaceId } from '../../model/ids.ts';
import type { Claim } from '../conflicts.ts';
import { ALL_RECORD_COLUMNS, checksumRow, type RecordRow, type RecordRowWithSums } from '../rows/record-row.ts';
import type { Connection } from './connection.ts';

const SELECT_ROW = `SELECT ${ALL_RECORD_COLUMNS.join(', ')} FROM records WHERE space_id = ? AND id = ?`;

const WRITE_ROW = `
  INSERT INTO records (${ALL_RECORD_COLUMNS.join(', ')}) VALUES (${ALL_RECORD_COLUMNS.map((column) => `:${column}`).join(', ')})
  ON CONFLICT (space_id, id) DO UPDATE SET ${ALL_RECORD_COLUMNS.slice(2)
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')}`;

export function readRow(connection: Connection, space: SpaceId, id: RecordId): RecordRowWithSums | undefined {
  return connection.statement(SELECT_ROW).get(space, id) as RecordRowWithSums | undefined;
}

/** Every write of a row goes through here, so that its checksum is always of what it holds. */
export function writeRow(
  connection: Connection,
  row: RecordRow,
  { feedSeq, passagesChecksum }: { feedSeq: Sequence; passagesChecksum: Uint8Array },
): void {
  connection
    .statement(WRITE_ROW)
    .run({ ...row, feed_seq: feedSeq, checksum: checksumRow(row), passages_checksum: passagesChecksum });
}

/** Keeps the lookup table of tags in step with the row. */
export function writeTags(
  connection: Connection,
  row: RecordRow,
  tags: readonly string[],
  previous: string | undefined,
): void {
  if (row.tags === previous) return;
  if (previous !== undefined)
    connection.statement('DELETE FROM record_tags WHERE space_id = ? AND record_id = ?').run(row.space_id, row.id);
  for (const tag of new Set(tags)) {
    connection
      .statement('INSERT INTO record_tags (space_id, tag, record_id) VALUES (?, ?, ?)')
      .run(row.space_id, tag, row.id);
  }
}

/** Who has already what the record wants for itself. */
export function findRival(
  { connection, index }: { connection: Connection; index: number },
  claim: Claim,
): CommitConflict | null {
  const holder = findKeyHolder(connection, claim);
  if (holder !== null) return { reason: 'key_taken', index, id: holder };
  const duplicate = findDuplicate(connection, claim);
  return duplicate === null ? null : { reason: 'duplicate', index, id: duplicate };
}

function findKeyHolder(connection: Connection, { space, id, kind, project, key }: Claim): RecordId | null {
  if (key === null) return null;
  const row = connection
    .statement(
      `SELECT id FROM records
       WHERE space_id = ? AND kind = ? AND ifnull(project, '') = ifnull(?, '') AND key = ? AND deleted_at IS NULL AND id <> ?`,
    )
    .get(space, kind, project, key, id) as { id: RecordId } | undefined;
  return row?.id ?? null;
}

/** The oldest live, not superseded record with this content. */
function findDuplicate(connection: Connection, claim: Claim): RecordId | null {
  const { space, id, kind, project, contentHash, changedAfter } = claim;
  if (contentHash === null) return null;
  const row = connection
    .statement(
      `SELECT id FROM records
       WHERE space_id = ? AND content_hash = ? AND kind = ? AND project IS ? AND deleted_at IS NULL AND superseded_by IS NULL AND id <> ? AND feed_seq > ?
       ORDER BY created_at, id LIMIT 1`,
    )
    .get(space, contentHash, kind, project, id, changedAfter) as { id: RecordId } | undefined;
  return row?.id ?? null;
}

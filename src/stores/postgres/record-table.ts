import type { CommitConflict } from '../../model/change.ts';
import type { RecordId, Sequence, SpaceId } from '../../model/ids.ts';
import type { Claim } from '../conflicts.ts';
import { ALL_RECORD_COLUMNS, checksumRow, type RecordRow, type RecordRowWithSums } from '../rows/record-row.ts';
import type { Session, Value } from './database.ts';
import { sendRows } from './insert-rows.ts';

const SELECT_ROW = `SELECT ${ALL_RECORD_COLUMNS.join(', ')} FROM records WHERE space_id = $1 AND id = $2`;
const SELECT_ROWS = `SELECT ${ALL_RECORD_COLUMNS.join(', ')} FROM records WHERE space_id = $1 AND id = ANY ($2::text[])`;

const WRITE_ROW = `
  INSERT INTO records (${ALL_RECORD_COLUMNS.join(', ')}) VALUES (${ALL_RECORD_COLUMNS.map((_, i) => `$${i + 1}`).join(', ')})
  ON CONFLICT (space_id, id) DO UPDATE SET ${ALL_RECORD_COLUMNS.slice(2)
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')}`;

/** The row as it is now. One that was read ahead counts once: the change that asks for it may write it. */
export async function readRow(
  { session, space, readAhead }: RowReader,
  id: RecordId,
): Promise<RecordRowWithSums | undefined> {
  if (!readAhead.has(id)) return (await session.query<RecordRowWithSums>(SELECT_ROW, [space, id])).rows[0];
  const row = readAhead.get(id);
  readAhead.delete(id);
  return row;
}

/** The rows of all records that a commit will ask for, in one go: a large import need not wait for the server at each of them. */
export async function readRowsAhead(
  session: Session,
  space: SpaceId,
  ids: readonly RecordId[],
): Promise<RowReader['readAhead']> {
  if (ids.length < 2) return new Map();
  const { rows } = await session.query<RecordRowWithSums>(SELECT_ROWS, [space, ids]);
  const found = new Map(rows.map((row) => [row.id, row]));
  return new Map(ids.map((id) => [id, found.get(id)]));
}

interface RowReader {
  session: Session;
  space: SpaceId;
  readAhead: Map<RecordId, RecordRowWithSums | undefined>;
}

/** Every write of a row goes through here, so that its checksum is always of what it holds. */
export function writeRow(
  session: Session,
  row: RecordRow,
  { feedSeq, passagesChecksum }: { feedSeq: Sequence; passagesChecksum: Uint8Array },
): void {
  const full: Record<string, Value> = {
    ...row,
    feed_seq: feedSeq,
    checksum: checksumRow(row),
    passages_checksum: passagesChecksum,
  };
  session.send(
    WRITE_ROW,
    ALL_RECORD_COLUMNS.map((column) => full[column] ?? null),
  );
}

/** Keeps the lookup table of tags in step with the row. */
export function writeTags(
  session: Session,
  row: RecordRow,
  tags: readonly string[],
  previous: string | undefined,
): void {
  if (row.tags === previous) return;
  if (previous !== undefined)
    session.send('DELETE FROM record_tags WHERE space_id = $1 AND record_id = $2', [row.space_id, row.id]);
  const rows = [...new Set(tags)].map((tag) => [tag, row.id]);
  sendRows(session, { table: 'record_tags', columns: ['tag', 'record_id'], space: row.space_id, rows });
}

/** Who has already what the record wants for itself. */
export async function findRival(
  { session, index }: { session: Session; index: number },
  claim: Claim,
): Promise<CommitConflict | null> {
  const holder = await findKeyHolder(session, claim);
  if (holder !== null) return { reason: 'key_taken', index, id: holder };
  const duplicate = await findDuplicate(session, claim);
  return duplicate === null ? null : { reason: 'duplicate', index, id: duplicate };
}

async function findKeyHolder(session: Session, { space, id, kind, project, key }: Claim): Promise<RecordId | null> {
  if (key === null) return null;
  const { rows } = await session.query<{ id: RecordId }>(
    `SELECT id FROM records
     WHERE space_id = $1 AND kind = $2 AND coalesce(project, '') = $3 AND key = $4 AND deleted_at IS NULL AND id <> $5`,
    [space, kind, project ?? '', key, id],
  );
  return rows[0]?.id ?? null;
}

/** The oldest live, not superseded record with this content. */
async function findDuplicate(session: Session, claim: Claim): Promise<RecordId | null> {
  const { space, id, kind, project, contentHash, changedAfter } = claim;
  if (contentHash === null) return null;
  const { rows } = await session.query<{ id: RecordId }>(
    `SELECT id FROM records
     WHERE space_id = $1 AND content_hash = $2 AND kind = $3 AND project IS NOT DISTINCT FROM $4 AND deleted_at IS NULL AND superseded_by IS NULL
       AND id <> $5 AND feed_seq > $6
     ORDER BY created_at, id LIMIT 1`,
    [space, contentHash, kind, project, id, changedAfter],
  );
  return rows[0]?.id ?? null;
}

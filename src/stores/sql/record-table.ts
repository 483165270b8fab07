import type { CommitConflict } from '../../model/change.ts';
import type { RecordId, Sequence, SpaceId } from '../../model/ids.ts';
import type { Claim, CommitWork, Standing } from './plan-writes.ts';
import { ALL_RECORD_COLUMNS, checksumRow, type RecordRow, type RecordRowWithSums } from './record-row.ts';
import { find, type SqlValue, type Steps, selectAll, send, sendRows } from './statements.ts';

type GraveRow = { record_id: RecordId; generation: number };

const SELECT_ROWS = `SELECT ${ALL_RECORD_COLUMNS.join(', ')} FROM records WHERE space_id = $1 AND id = ANY ($2::text[])`;
const SELECT_GRAVES = 'SELECT record_id, generation FROM graves WHERE space_id = $1 AND record_id = ANY ($2::text[])';

const TAGS = { table: 'record_tags', columns: ['tag', 'record_id'] };

const WRITE_ROW = `
  INSERT INTO records (${ALL_RECORD_COLUMNS.join(', ')}) VALUES (${ALL_RECORD_COLUMNS.map((_, i) => `$${i + 1}`).join(', ')})
  ON CONFLICT (space_id, id) DO UPDATE SET ${ALL_RECORD_COLUMNS.slice(2)
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')}`;

/** What is there now. What was read ahead counts once: the change that asks for it may write it. */
export function* readStanding({ space, readAhead }: CommitWork, id: RecordId): Steps<Standing> {
  const known = readAhead.get(id) ?? (yield* readStandings(space, [id])).get(id)!;
  readAhead.delete(id);
  return known;
}

/** Of all records that a commit will ask for, in one go: a large import need not wait for the server at each of them. */
export function* readAhead(space: SpaceId, ids: readonly RecordId[]): Steps<Map<RecordId, Standing>> {
  return ids.length < 2 ? new Map() : yield* readStandings(space, ids);
}

function* readStandings(space: SpaceId, ids: readonly RecordId[]): Steps<Map<RecordId, Standing>> {
  const values = [space, ids];
  const [rows, graves] = yield* selectAll<[RecordRowWithSums, GraveRow]>(
    { sql: SELECT_ROWS, values },
    { sql: SELECT_GRAVES, values },
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  const buried = new Map(graves.map(({ record_id, generation }) => [record_id, generation]));
  return new Map(ids.map((id) => [id, { row: found.get(id), buried: buried.get(id) ?? 0 }]));
}

/** Every write of a row goes through here, so that its checksum is always of what it holds. */
export function* writeRow(
  row: RecordRow,
  { feedSeq, passagesChecksum }: { feedSeq: Sequence; passagesChecksum: Uint8Array },
): Steps<void> {
  const sums = { feed_seq: feedSeq, checksum: checksumRow(row), passages_checksum: passagesChecksum };
  const full: Record<string, SqlValue> = { ...row, ...sums };
  yield* send(WRITE_ROW, ...ALL_RECORD_COLUMNS.map((column) => full[column] ?? null));
}

/** Keeps the lookup table of tags in step with the row. */
export function* writeTags(row: RecordRow, tags: readonly string[], previous: string | undefined): Steps<void> {
  const { space_id: space, id } = row;
  if (row.tags === previous) return;
  if (previous !== undefined) yield* send('DELETE FROM record_tags WHERE space_id = $1 AND record_id = $2', space, id);
  const rows = [...new Set(tags)].map((tag) => [tag, id]);
  yield* sendRows({ into: TAGS, space, rows });
}

/** Who has already what the record wants for itself. */
export function* findRival(index: number, claim: Claim): Steps<CommitConflict | null> {
  const holder = yield* findKeyHolder(claim);
  if (holder !== undefined) return { reason: 'key_taken', index, id: holder.id };
  const duplicate = yield* findDuplicate(claim);
  return duplicate === undefined ? null : { reason: 'duplicate', index, id: duplicate.id };
}

function* findKeyHolder({ space, id, kind, project, key }: Claim): Steps<{ id: RecordId } | undefined> {
  if (key === null) return undefined;
  return yield* find<{ id: RecordId }>(
    `SELECT id FROM records
     WHERE space_id = $1 AND kind = $2 AND coalesce(project, '') = $3 AND key = $4 AND deleted_at IS NULL AND id <> $5
     ORDER BY id LIMIT 1`,
    ...[space, kind, project ?? '', key, id],
  );
}

/** The oldest live, not superseded record with this content. */
function* findDuplicate(claim: Claim): Steps<{ id: RecordId } | undefined> {
  const { space, id, kind, project, contentHash, changedAfter } = claim;
  if (contentHash === null) return undefined;
  return yield* find<{ id: RecordId }>(
    `SELECT id FROM records
     WHERE space_id = $1 AND content_hash = $2 AND kind = $3 AND project IS NOT DISTINCT FROM $4 AND deleted_at IS NULL AND superseded_by IS NULL
       AND id <> $5 AND feed_seq > $6
     ORDER BY created_at, id LIMIT 1`,
    ...[space, contentHash, kind, project, id, changedAfter],
  );
}

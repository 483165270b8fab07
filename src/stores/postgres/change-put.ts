import type { CommitConflict, ImportChange, PutChange } from '../../model/change.ts';
import type { RecordId } from '../../model/ids.ts';
import type { RecordVersion } from '../../model/record.ts';
import { claimOfImport, claimOfPut, refusePut } from '../conflicts.ts';
import { moveImport, planPassages, planRecord, type RecordWrite, recordOfPut, versionOf } from '../plan-writes.ts';
import { VERSION_COLUMNS, versionValues } from '../rows/version-row.ts';
import { replaceVectors } from './change-vectors.ts';
import type { CommitWork } from './commit.ts';
import { appendToFeed } from './feed.ts';
import { sendRows } from './insert-rows.ts';
import { readPassagesOf } from './passages.ts';
import { findRival, readRow, writeRow, writeTags } from './record-table.ts';

export async function applyPut(work: CommitWork, change: PutChange): Promise<CommitConflict | null> {
  const { id, passages, vectors } = change;
  const previous = await readRow(work, id);
  const conflict = refusePut(change, previous, work.index) ?? (await findRival(work, claimOfPut(work.space, change)));
  if (conflict !== null) return conflict;
  await writeRecord(work, { record: recordOfPut(work.space, change, previous), passages, vectors, previous });
  if (previous !== undefined) writeVersions(work, id, [versionOf(previous, work.now, change)]);
  return null;
}

export async function applyImport(work: CommitWork, change: ImportChange): Promise<CommitConflict | null> {
  const { record, versions } = moveImport(work.space, change);
  const { id } = record;
  if ((await readRow(work, id)) !== undefined) return { reason: 'exists', index: work.index, id };
  const conflict = await findRival(work, claimOfImport(record));
  if (conflict !== null) return conflict;
  await writeRecord(work, { record, passages: change.passages, vectors: change.vectors, previous: undefined });
  writeVersions(work, id, versions);
  return null;
}

async function writeRecord(work: CommitWork, write: RecordWrite): Promise<void> {
  const { record, passages, vectors, previous } = write;
  const { id, revision } = record;
  const { row, passagesChecksum, note } = planRecord(write);
  writeRow(work.session, row, { feedSeq: appendToFeed(work, note), passagesChecksum });
  writeTags(work.session, row, record.tags, previous?.tags);
  const before = previous === undefined ? [] : await readPassagesOf(work.session, work.space, id);
  writePassages(work, id, planPassages(before, passages));
  replaceVectors(work, id, vectors);
  work.revisions[id] = revision;
}

function writeVersions({ session, space }: CommitWork, id: RecordId, versions: readonly RecordVersion[]): void {
  const rows = versions.map((version) => [id, ...versionValues(version)]);
  sendRows(session, { table: 'record_versions', columns: ['record_id', ...VERSION_COLUMNS], space, rows });
}

function writePassages(
  { session, space }: CommitWork,
  id: RecordId,
  { gone, fresh }: ReturnType<typeof planPassages>,
): void {
  if (gone.length > 0)
    session.send('DELETE FROM passages WHERE space_id = $1 AND record_id = $2 AND ordinal = ANY ($3::bigint[])', [
      space,
      id,
      gone,
    ]);
  const rows = fresh.map(({ ordinal, text }) => [id, ordinal, text]);
  sendRows(session, { table: 'passages', columns: ['record_id', 'ordinal', 'text'], space, rows });
}

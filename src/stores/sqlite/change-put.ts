import type { CommitConflict, ImportChange, PutChange } from '../../model/change.ts';
import type { RecordId } from '../../model/ids.ts';
import type { RecordVersion } from '../../model/record.ts';
import { claimOfImport, claimOfPut, refusePut } from '../conflicts.ts';
import { moveImport, planPassages, planRecord, type RecordWrite, recordOfPut, versionOf } from '../plan-writes.ts';
import { VERSION_COLUMNS, versionValues } from '../rows/version-row.ts';
import { insertVector } from './change-vectors.ts';
import type { CommitWork } from './commit.ts';
import { appendToFeed } from './feed.ts';
import { readPassagesOf } from './passages.ts';
import { findRival, readRow, writeRow, writeTags } from './record-table.ts';

const WRITE_VERSION = `INSERT INTO record_versions (space_id, record_id, ${VERSION_COLUMNS.join(', ')}) VALUES (?, ?, ?, ?, ?, ?, ?)`;

export function applyPut(work: CommitWork, change: PutChange): CommitConflict | null {
  const { id, passages, vectors } = change;
  const previous = readRow(work.connection, work.space, id);
  const conflict = refusePut(change, previous, work.index) ?? findRival(work, claimOfPut(work.space, change));
  if (conflict !== null) return conflict;
  writeRecord(work, { record: recordOfPut(work.space, change, previous), passages, vectors, previous });
  if (previous !== undefined) writeVersion(work, id, versionOf(previous, work.now, change));
  return null;
}

export function applyImport(work: CommitWork, change: ImportChange): CommitConflict | null {
  const { record, versions } = moveImport(work.space, change);
  const { id } = record;
  if (readRow(work.connection, work.space, id) !== undefined) return { reason: 'exists', index: work.index, id };
  const conflict = findRival(work, claimOfImport(record));
  if (conflict !== null) return conflict;
  writeRecord(work, { record, passages: change.passages, vectors: change.vectors, previous: undefined });
  for (const version of versions) writeVersion(work, id, version);
  return null;
}

function writeRecord(work: CommitWork, write: RecordWrite): void {
  const { record, passages, vectors, previous } = write;
  const { id, revision } = record;
  const { row, passagesChecksum, note } = planRecord(write);
  writeRow(work.connection, row, { feedSeq: appendToFeed(work, note), passagesChecksum });
  writeTags(work.connection, row, record.tags, previous?.tags);
  const before = previous === undefined ? [] : readPassagesOf(work.connection, work.space, id);
  writePassages(work, id, planPassages(before, passages));
  for (const vector of vectors) insertVector(work, id, vector, 'replace');
  work.revisions[id] = revision;
}

function writeVersion({ connection, space }: CommitWork, id: RecordId, version: RecordVersion): void {
  connection.statement(WRITE_VERSION).run(space, id, ...versionValues(version));
}

function writePassages(
  { connection, space }: CommitWork,
  id: RecordId,
  { gone, fresh }: ReturnType<typeof planPassages>,
): void {
  for (const ordinal of gone)
    connection
      .statement('DELETE FROM passages WHERE space_id = ? AND record_id = ? AND ordinal = ?')
      .run(space, id, ordinal);
  for (const { ordinal, text } of fresh) {
    connection
      .statement('INSERT INTO passages (space_id, record_id, ordinal, text) VALUES (?, ?, ?, ?)')
      .run(space, id, ordinal, text);
  }
}

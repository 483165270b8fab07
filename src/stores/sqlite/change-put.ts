import type { CommitConflict, ImportChange, PutChange } from '../../model/change.ts';
import type { RecordId } from '../../model/ids.ts';
import type { Passage, StoredVector } from '../../model/passage.ts';
import type { RecordVersion, StoredRecord } from '../../model/record.ts';
import { insertVector } from './change-vectors.ts';
import type { CommitWork } from './commit.ts';
import { appendToFeed } from './feed.ts';
import { readPassagesOf } from './passages.ts';
import { checksumPassages, checksumVersion, type RecordRowWithSums, toRow, toStoredRecord } from './record-row.ts';
import { findDuplicate, findKeyHolder, readRow, writeRow, writeTags } from './record-table.ts';

export function applyPut(work: CommitWork, change: PutChange): CommitConflict | null {
  const { id, content, passages, vectors, reason } = change;
  const previous = readRow(work.connection, work.space, id);
  const conflict = findConflict(work, change, previous);
  if (conflict !== null) return conflict;
  const record: StoredRecord = { ...content, space: work.space, id, revision: (previous?.revision ?? 0) + 1, deletedAt: null };
  writeRecord(work, { record, passages, vectors, previous });
  if (previous !== undefined) writeVersion(work, id, { record: toStoredRecord(previous), replacedAt: work.now, reason: reason ?? null });
  return null;
}

function findConflict(work: CommitWork, change: PutChange, previous: RecordRowWithSums | undefined): CommitConflict | null {
  const { connection, space, index } = work;
  const { id, content, expect } = change;
  if (expect === 'new') {
    if (previous !== undefined) return { reason: 'exists', index, id };
  } else {
    // A deleted record must be restored before it can be changed.
    if (previous === undefined || previous.deleted_at !== null) return { reason: 'missing', index, id };
    if (previous.revision !== expect) return { reason: 'revision', index, id, actual: previous.revision };
  }
  const place = { space, id, kind: content.kind, project: content.project };
  const holder = findKeyHolder(connection, { ...place, key: content.key });
  if (holder !== null) return { reason: 'key_taken', index, id: holder };
  const duplicate = change.unlessDuplicate ? findDuplicate(connection, { ...place, contentHash: content.contentHash }) : null;
  return duplicate === null ? null : { reason: 'duplicate', index, id: duplicate };
}

/** The record belongs to the space of the commit, whatever space it was exported from. */
export function applyImport(work: CommitWork, { record: exported, versions, passages, vectors }: ImportChange): CommitConflict | null {
  const { connection, space, index } = work;
  const { id } = exported;
  const record = { ...exported, space };
  if (readRow(connection, space, id) !== undefined) return { reason: 'exists', index, id };
  const holder = record.deletedAt === null ? findKeyHolder(connection, record) : null;
  if (holder !== null) return { reason: 'key_taken', index, id: holder };
  writeRecord(work, { record, passages, vectors, previous: undefined });
  for (const version of versions) writeVersion(work, id, { ...version, record: { ...version.record, space } });
  return null;
}

interface RecordWrite {
  record: StoredRecord;
  passages: readonly Passage[];
  vectors: readonly StoredVector[];
  previous: RecordRowWithSums | undefined;
}

function writeRecord(work: CommitWork, { record, passages, vectors, previous }: RecordWrite): void {
  const { id, kind, revision } = record;
  const row = toRow(record);
  const inOrder = passages.toSorted((a, b) => a.ordinal - b.ordinal);
  const feedSeq = appendToFeed(work, { op: previous === undefined ? 'created' : 'updated', id, kind, revision });
  writeRow(work.connection, row, { feedSeq, passagesChecksum: checksumPassages(inOrder) });
  writeTags(work.connection, row, record.tags, previous?.tags);
  writePassages(work, id, inOrder);
  for (const vector of vectors) insertVector(work, id, vector, 'replace');
  work.revisions[id] = revision;
}

function writeVersion(work: CommitWork, id: RecordId, { record, replacedAt, reason }: RecordVersion): void {
  const state = JSON.stringify(record);
  work.connection
    .statement('INSERT INTO record_versions (space_id, record_id, revision, replaced_at, reason, checksum, state) VALUES (?, ?, ?, ?, ?, ?, ?)')
    .run(work.space, id, record.revision, replacedAt, reason, checksumVersion({ state, replaced_at: replacedAt, reason }), state);
}

/** A passage whose text stays as it was keeps its row, and with it the vectors it has. */
function writePassages(work: CommitWork, id: RecordId, passages: readonly Passage[]): void {
  const { connection, space } = work;
  const before = new Map(readPassagesOf(connection, space, id).map(({ ordinal, text }) => [ordinal, text]));
  for (const { ordinal, text } of passages) {
    const old = before.get(ordinal);
    before.delete(ordinal);
    if (old === text) continue;
    if (old !== undefined) deletePassage(work, id, ordinal);
    connection.statement('INSERT INTO passages (space_id, record_id, ordinal, text) VALUES (?, ?, ?, ?)').run(space, id, ordinal, text);
  }
  for (const ordinal of before.keys()) deletePassage(work, id, ordinal);
}

function deletePassage(work: CommitWork, id: RecordId, ordinal: number): void {
  work.connection.statement('DELETE FROM passages WHERE space_id = ? AND record_id = ? AND ordinal = ?').run(work.space, id, ordinal);
}

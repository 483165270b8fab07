import type { CommitConflict, ImportChange, PutChange } from '../../model/change.ts';
import type { RecordId } from '../../model/ids.ts';
import type { Passage, StoredVector } from '../../model/passage.ts';
import type { RecordVersion, StoredRecord } from '../../model/record.ts';
import { checksumPassages, checksumVersion, type RecordRowWithSums, toRow, toStoredRecord } from '../sqlite/record-row.ts';
import { replaceVectors } from './change-vectors.ts';
import type { CommitWork } from './commit.ts';
import { appendToFeed } from './feed.ts';
import { sendRows } from './insert-rows.ts';
import { readPassagesOf } from './passages.ts';
import { findDuplicate, findKeyHolder, readRow, writeRow, writeTags } from './record-table.ts';

export async function applyPut(work: CommitWork, change: PutChange): Promise<CommitConflict | null> {
  const { id, content, passages, vectors, reason } = change;
  const previous = await readRow(work, id);
  const conflict = await findConflict(work, change, previous);
  if (conflict !== null) return conflict;
  const record: StoredRecord = { ...content, space: work.space, id, revision: (previous?.revision ?? 0) + 1, deletedAt: null };
  await writeRecord(work, { record, passages, vectors, previous });
  if (previous !== undefined) writeVersion(work, id, { record: toStoredRecord(previous), replacedAt: work.now, reason: reason ?? null });
  return null;
}

async function findConflict(work: CommitWork, change: PutChange, previous: RecordRowWithSums | undefined): Promise<CommitConflict | null> {
  const { session, space, index } = work;
  const { id, content, expect } = change;
  if (expect === 'new') {
    if (previous !== undefined) return { reason: 'exists', index, id };
  } else {
    // A deleted record must be restored before it can be changed.
    if (previous === undefined || previous.deleted_at !== null) return { reason: 'missing', index, id };
    if (previous.revision !== expect) return { reason: 'revision', index, id, actual: previous.revision };
  }
  const place = { space, id, kind: content.kind, project: content.project };
  const holder = await findKeyHolder(session, { ...place, key: content.key });
  if (holder !== null) return { reason: 'key_taken', index, id: holder };
  const duplicate = change.unlessDuplicate ? await findDuplicate(session, { ...place, contentHash: content.contentHash }) : null;
  return duplicate === null ? null : { reason: 'duplicate', index, id: duplicate };
}

/** The record belongs to the space of the commit, whatever space it was exported from. */
export async function applyImport(work: CommitWork, { record: exported, versions, passages, vectors }: ImportChange): Promise<CommitConflict | null> {
  const { session, space, index } = work;
  const { id } = exported;
  const record = { ...exported, space };
  if ((await readRow(work, id)) !== undefined) return { reason: 'exists', index, id };
  const holder = record.deletedAt === null ? await findKeyHolder(session, record) : null;
  if (holder !== null) return { reason: 'key_taken', index, id: holder };
  await writeRecord(work, { record, passages, vectors, previous: undefined });
  for (const version of versions) writeVersion(work, id, { ...version, record: { ...version.record, space } });
  return null;
}

interface RecordWrite {
  record: StoredRecord;
  passages: readonly Passage[];
  vectors: readonly StoredVector[];
  previous: RecordRowWithSums | undefined;
}

async function writeRecord(work: CommitWork, { record, passages, vectors, previous }: RecordWrite): Promise<void> {
  const { id, kind, revision } = record;
  const row = toRow(record);
  const inOrder = passages.toSorted((a, b) => a.ordinal - b.ordinal);
  const feedSeq = appendToFeed(work, { op: previous === undefined ? 'created' : 'updated', id, kind, revision });
  writeRow(work.session, row, { feedSeq, passagesChecksum: checksumPassages(inOrder) });
  writeTags(work.session, row, record.tags, previous?.tags);
  const before = previous === undefined ? [] : await readPassagesOf(work.session, work.space, id);
  writePassages(work, id, { passages: inOrder, before });
  replaceVectors(work, id, vectors);
  work.revisions[id] = revision;
}

function writeVersion(work: CommitWork, id: RecordId, { record, replacedAt, reason }: RecordVersion): void {
  const state = JSON.stringify(record);
  work.session.send('INSERT INTO record_versions (space_id, record_id, revision, replaced_at, reason, checksum, state) VALUES ($1, $2, $3, $4, $5, $6, $7)', [
    work.space,
    id,
    record.revision,
    replacedAt,
    reason,
    checksumVersion({ state, replaced_at: replacedAt, reason }),
    state,
  ]);
}

/** A passage whose text stays as it was keeps its row, and with it the vectors it has. */
function writePassages(work: CommitWork, id: RecordId, { passages, before }: { passages: readonly Passage[]; before: readonly Passage[] }): void {
  const { session, space } = work;
  const texts = new Map(passages.map(({ ordinal, text }) => [ordinal, text]));
  const gone = before.filter(({ ordinal, text }) => texts.get(ordinal) !== text).map(({ ordinal }) => ordinal);
  if (gone.length > 0) session.send('DELETE FROM passages WHERE space_id = $1 AND record_id = $2 AND ordinal = ANY ($3::bigint[])', [space, id, gone]);
  const kept = new Map(before.map(({ ordinal, text }) => [ordinal, text]));
  const fresh = passages.filter(({ ordinal, text }) => kept.get(ordinal) !== text);
  const rows = fresh.map(({ ordinal, text }) => [id, ordinal, text]);
  sendRows(session, { table: 'passages', columns: ['record_id', 'ordinal', 'text'], space, rows });
}

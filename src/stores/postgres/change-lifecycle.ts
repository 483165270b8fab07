import type { Change, CommitConflict } from '../../model/change.ts';
import type { RecordId } from '../../model/ids.ts';
import type { RecordRowWithSums } from '../sqlite/record-row.ts';
import { deleteReceiptsWith } from './change-receipts.ts';
import type { CommitWork } from './commit.ts';
import { appendToFeed } from './feed.ts';
import { listVersions } from './read-records.ts';
import { findDuplicate, findKeyHolder, readRow, writeRow } from './record-table.ts';

type DeleteChange = Extract<Change, { op: 'delete' }>;
type RestoreChange = Extract<Change, { op: 'restore' }>;

/** Passages and vectors stay, so that a restore brings everything back. */
export async function applyDelete(work: CommitWork, { id, at, revision }: DeleteChange): Promise<CommitConflict | null> {
  const { index } = work;
  const row = await readRow(work, id);
  if (row === undefined || row.deleted_at !== null) return { reason: 'missing', index, id };
  if (revision !== undefined && row.revision !== revision) return { reason: 'revision', index, id, actual: row.revision };
  rewrite(work, row, { op: 'deleted', deletedAt: at });
  return null;
}

export async function applyRestore(work: CommitWork, { id, revision }: RestoreChange): Promise<CommitConflict | null> {
  const { session, space, index } = work;
  const row = await readRow(work, id);
  if (row === undefined) return { reason: 'missing', index, id };
  if (row.deleted_at === null) return { reason: 'exists', index, id };
  if (revision !== undefined && row.revision !== revision) return { reason: 'revision', index, id, actual: row.revision };

  const place = { space, id, kind: row.kind, project: row.project };
  const holder = await findKeyHolder(session, { ...place, key: row.key });
  if (holder !== null) return { reason: 'key_taken', index, id: holder };
  // One that was there beside it before the deletion was let be then, and is no reason now.
  const changedAfter = row.feed_seq;
  const duplicate = row.superseded_by === null ? await findDuplicate(session, { ...place, contentHash: row.content_hash, changedAfter }) : null;
  if (duplicate !== null) return { reason: 'duplicate', index, id: duplicate };
  rewrite(work, row, { op: 'restored', deletedAt: null });
  return null;
}

function rewrite(work: CommitWork, row: RecordRowWithSums, { op, deletedAt }: { op: 'deleted' | 'restored'; deletedAt: number | null }): void {
  const { feed_seq: _, checksum: __, passages_checksum: passagesChecksum, ...kept } = row;
  const revision = row.revision + 1;
  const feedSeq = appendToFeed(work, { op, id: row.id, kind: row.kind, revision });
  writeRow(work.session, { ...kept, revision, deleted_at: deletedAt }, { feedSeq, passagesChecksum });
  work.revisions[row.id] = revision;
}

/** Tags, versions, passages, vectors, relations and statistics go with the row (foreign keys); the feed keeps that it was there. */
export async function applyPurge(work: CommitWork, id: RecordId): Promise<CommitConflict | null> {
  const { session, space, index } = work;
  const row = await readRow(work, id);
  if (row === undefined) return { reason: 'missing', index, id };
  const versions = await listVersions(session, space, id);
  await deleteReceiptsWith(work, id, [row.content, ...versions.map(({ record }) => record.content)]);
  session.send('DELETE FROM records WHERE space_id = $1 AND id = $2', [space, id]);
  appendToFeed(work, { op: 'purged', id, kind: row.kind, revision: null });
  delete work.revisions[id];
  return null;
}

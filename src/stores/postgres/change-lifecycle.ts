import type { Change, CommitConflict } from '../../model/change.ts';
import { claimOfRestore, missing, refuseDelete, refuseRestore } from '../conflicts.ts';
import { planMark, type RowWrite } from '../plan-writes.ts';
import { deleteReceiptsWith } from './change-receipts.ts';
import type { CommitWork } from './commit.ts';
import { appendToFeed } from './feed.ts';
import { listVersions } from './read-records.ts';
import { findRival, readRow, writeRow } from './record-table.ts';

/** Passages and vectors stay, so that a restore brings everything back. */
export async function applyDelete(
  work: CommitWork,
  change: Extract<Change, { op: 'delete' }>,
): Promise<CommitConflict | null> {
  const row = await readRow(work, change.id);
  if (row === undefined) return missing(work.index, change.id);
  const conflict = refuseDelete(change, row, work.index);
  if (conflict === null) rewrite(work, planMark(row, 'deleted', change.at));
  return conflict;
}

export async function applyRestore(
  work: CommitWork,
  change: Extract<Change, { op: 'restore' }>,
): Promise<CommitConflict | null> {
  const row = await readRow(work, change.id);
  if (row === undefined) return missing(work.index, change.id);
  const conflict = refuseRestore(change, row, work.index) ?? (await findRival(work, claimOfRestore(row)));
  if (conflict === null) rewrite(work, planMark(row, 'restored', null));
  return conflict;
}

function rewrite(work: CommitWork, { row, passagesChecksum, note }: RowWrite): void {
  writeRow(work.session, row, { feedSeq: appendToFeed(work, note), passagesChecksum });
  work.revisions[row.id] = row.revision;
}

/** Tags, versions, passages, vectors, relations and statistics go with the row (foreign keys); the feed keeps that it was there. */
export async function applyPurge(
  work: CommitWork,
  { id }: Extract<Change, { op: 'purge' }>,
): Promise<CommitConflict | null> {
  const { session, space, index } = work;
  const row = await readRow(work, id);
  if (row === undefined) return missing(index, id);
  const versions = await listVersions(session, space, id);
  await deleteReceiptsWith(work, id, [row.content, ...versions.map(({ record }) => record.content)]);
  session.send('DELETE FROM records WHERE space_id = $1 AND id = $2', [space, id]);
  appendToFeed(work, { op: 'purged', id, kind: row.kind, revision: null });
  delete work.revisions[id];
  return null;
}

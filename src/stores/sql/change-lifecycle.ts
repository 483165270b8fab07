import type { Change, CommitConflict, Grave } from '../../model/change.ts';
import type { SpaceId } from '../../model/ids.ts';
import { deleteReceiptsWith } from './change-receipts.ts';
import { appendToFeed, type CommitWork, nextDot } from './commit-work.ts';
import { claimOfRestore, missing, refuseDelete, refuseRestore } from './conflicts.ts';
import { planMark, type RowWrite } from './plan-writes.ts';
import { listVersions } from './read-records.ts';
import { findRival, readStanding, writeRow } from './record-table.ts';
import { type Steps, send } from './statements.ts';

/** Passages and vectors stay, so that a restore brings everything back. */
export function* applyDelete(
  work: CommitWork,
  change: Extract<Change, { op: 'delete' }>,
): Steps<CommitConflict | null> {
  const { row } = yield* readStanding(work, change.id);
  if (row === undefined) return missing(work.index, change.id);
  const conflict = refuseDelete(change, row, work.index);
  if (conflict === null) yield* rewrite(work, planMark(row, 'deleted', { deletedAt: change.at, dot: nextDot(work) }));
  return conflict;
}

export function* applyRestore(
  work: CommitWork,
  change: Extract<Change, { op: 'restore' }>,
): Steps<CommitConflict | null> {
  const { row } = yield* readStanding(work, change.id);
  if (row === undefined) return missing(work.index, change.id);
  const conflict = refuseRestore(change, row, work.index) ?? (yield* findRival(work.index, claimOfRestore(row)));
  if (conflict === null) yield* rewrite(work, planMark(row, 'restored', { deletedAt: null, dot: nextDot(work) }));
  return conflict;
}

function* rewrite(work: CommitWork, { row, passagesChecksum, note }: RowWrite): Steps<void> {
  yield* writeRow(row, { feedSeq: appendToFeed(work, note), passagesChecksum });
  work.revisions[row.id] = row.revision;
}

/** Tags, versions, passages, vectors, relations and statistics go with the row (foreign keys); feed and grave keep that it was there. */
export function* applyPurge(work: CommitWork, { id }: Extract<Change, { op: 'purge' }>): Steps<CommitConflict | null> {
  const { space, index, now } = work;
  const { row } = yield* readStanding(work, id);
  if (row === undefined) return missing(index, id);
  const versions = yield* listVersions(space, id);
  yield* deleteReceiptsWith(space, id, [row.content, ...versions.map(({ record }) => record.content)]);
  yield* send('DELETE FROM records WHERE space_id = $1 AND id = $2', space, id);
  yield* writeGrave(space, { id, generation: row.generation, purgedAt: now });
  appendToFeed(work, { op: 'purged', id, kind: row.kind, revision: null });
  delete work.revisions[id];
  return null;
}

/** One that is dug deep enough already makes no entry. */
export function* applyBury(work: CommitWork, { grave }: Extract<Change, { op: 'bury' }>): Steps<CommitConflict | null> {
  const { id, generation } = grave;
  const { row, buried } = yield* readStanding(work, id);
  if (row !== undefined && row.generation <= generation) return { reason: 'exists', index: work.index, id };
  if (buried >= generation) return null;
  yield* writeGrave(work.space, grave);
  appendToFeed(work, { op: 'purged', id, kind: null, revision: null });
  return null;
}

function* writeGrave(space: SpaceId, { id, generation, purgedAt }: Grave): Steps<void> {
  yield* send(
    `INSERT INTO graves (space_id, record_id, generation, purged_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (space_id, record_id) DO UPDATE SET generation = excluded.generation, purged_at = excluded.purged_at`,
    ...[space, id, generation, purgedAt],
  );
}

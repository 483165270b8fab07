import type { CommitConflict, Grave } from '../../model/change.ts';
import type { Instant, SpaceId } from '../../model/ids.ts';
import {
  type Applying,
  appendToFeed,
  type CommitWork,
  findRival,
  missing,
  nextDot,
  type Of,
  readStanding,
  writeRow,
} from './commit-work.ts';
import { listVersions } from './read-records.ts';
import { deleteReceiptsWith } from './receipts.ts';
import type { RecordRowWithSums } from './record-row.ts';
import { type Steps, send } from './statements.ts';

/** Passages and vectors stay, so that a restore brings everything back. */
export function* applyDelete(work: CommitWork, { id, revision, at }: Of<'delete'>): Applying {
  const { row } = yield* readStanding(work, id);
  if (row === undefined || row.deleted_at !== null) return missing(work.index, id);
  const conflict = refuseRevision(revision, row, work.index);
  if (conflict === null) yield* writeMark(work, row, at);
  return conflict;
}

export function* applyRestore(work: CommitWork, { id, revision }: Of<'restore'>): Applying {
  const { row } = yield* readStanding(work, id);
  const { index, space } = work;
  if (row === undefined) return missing(index, id);
  if (row.deleted_at === null) return { reason: 'exists', index, id };
  const { kind, project, key } = row;
  const contentHash = row.superseded_by === null ? row.content_hash : null;
  // One that was there beside it before the deletion was let be then, and is no reason now.
  const claim = { space, id, kind, project, key, contentHash, changedAfter: row.feed_seq };
  const conflict = refuseRevision(revision, row, index) ?? (yield* findRival(index, claim));
  if (conflict === null) yield* writeMark(work, row, null);
  return conflict;
}

function refuseRevision(
  expected: number | undefined,
  { id, revision }: RecordRowWithSums,
  index: number,
): CommitConflict | null {
  return expected === undefined || revision === expected ? null : { reason: 'revision', index, id, actual: revision };
}

/** Everything stays but the mark. */
function* writeMark(work: CommitWork, previous: RecordRowWithSums, deletedAt: Instant | null): Steps<void> {
  const { feed_seq: _, checksum: __, passages_checksum: passagesChecksum, ...kept } = previous;
  const row = { ...kept, revision: kept.revision + 1, deleted_at: deletedAt, dot: nextDot(work) };
  yield* writeRow(work, deletedAt === null ? 'restored' : 'deleted', { row, passagesChecksum });
}

/** Tags, versions, passages, vectors, relations and statistics go with the row (foreign keys); feed and grave keep that it was there. */
export function* applyPurge(work: CommitWork, { id }: Of<'purge'>): Applying {
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
export function* applyBury(work: CommitWork, { grave }: Of<'bury'>): Applying {
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

import type { CommitConflict } from '../../model/change.ts';
import { refuseDamage } from '../../model/damage.ts';
import type { Instant } from '../../model/ids.ts';
import { formatStamps, parseStamps, stampWrite, withDeletion } from '../../model/stamps.ts';
import type { StateWrite } from '../../model/write-state.ts';
import {
  type Applying,
  type CommitWork,
  findRival,
  missing,
  nextDot,
  type Of,
  readStanding,
  readWeight,
  writeRow,
} from './commit-work.ts';
import { tallyWeight } from './label-counts.ts';
import { isAsWritten, type RecordRowWithSums } from './record-row.ts';
import { replaceStamps, type StampRow } from './stamp-writes.ts';
import type { Steps } from './statements.ts';

/** Passages and vectors stay, so that a restore brings everything back. */
export function* applyDelete(work: CommitWork, { id, revision, at, redates }: Of<'delete'>): Applying {
  const { row, stamps } = yield* readStanding(work, id);
  if (row === undefined || (row.deleted_at !== null) !== (redates === true)) return missing(work.index, id);
  const conflict = refuseRevision(revision, row, work.index);
  if (conflict === null)
    yield* writeMark(work, row, { stamps, deletedAt: at, write: redates ? {} : { life: 'delete' } });
  return conflict;
}

export function* applyRestore(work: CommitWork, { id, revision }: Of<'restore'>): Applying {
  const { row, stamps } = yield* readStanding(work, id);
  const { index, space } = work;
  if (row === undefined) return missing(index, id);
  if (row.deleted_at === null) return { reason: 'exists', index, id };
  const { kind, project, key } = row;
  const contentHash = row.superseded_by === null ? row.content_hash : null;
  // One that was there beside it before the deletion was let be then, and is no reason now.
  const claim = { space, id, kind, project, key, contentHash, changedAfter: row.feed_seq };
  const conflict = refuseRevision(revision, row, index) ?? (yield* findRival(index, claim));
  const write: StateWrite = { life: 'restore', text: {} };
  if (conflict === null) yield* writeMark(work, row, { stamps, deletedAt: null, write });
  return conflict;
}

export function refuseRevision(
  expected: number | undefined,
  { id, revision }: RecordRowWithSums,
  index: number,
): CommitConflict | null {
  return expected === undefined || revision === expected ? null : { reason: 'revision', index, id, actual: revision };
}

/** Everything stays but the mark. What is damaged must not get a checksum that fits. */
function* writeMark(
  work: CommitWork,
  previous: RecordRowWithSums,
  { stamps: had, deletedAt, write }: { stamps: StampRow | null; deletedAt: Instant | null; write: StateWrite },
): Steps<void> {
  if (!isAsWritten(previous)) refuseDamage({ what: 'record', id: previous.id });
  const { feed_seq: _, checksum: __, passages_checksum: passagesChecksum, ...rest } = previous;
  const { quick: ___, versions_sum: versionsSum, ...kept } = rest;
  const row = { ...kept, revision: kept.revision + 1, deleted_at: deletedAt, dot: nextDot(work) };
  const before = parseStamps(had?.state ?? null, { dot: kept.dot, updatedAt: kept.updated_at });
  // A deletion that the base stands for is one like others from now on.
  const known = previous.deleted_at === null ? before : withDeletion(before);
  const stamps = stampWrite(known, write, { dot: row.dot, now: work.now });
  yield* writeRow(work, deletedAt === null ? 'restored' : 'deleted', {
    row,
    passagesChecksum,
    versionsSum,
    previous,
  });
  const state = formatStamps(stamps, { dot: row.dot, updatedAt: row.updated_at });
  yield* replaceStamps(work.space, row.id, { had, generation: row.generation, state });
  if ((previous.deleted_at === null) === (deletedAt === null)) return;
  const weight = yield* readWeight(work, previous.id);
  tallyWeight(work.tally.labels, previous.id, weight, { times: deletedAt === null ? 1 : -1 });
}

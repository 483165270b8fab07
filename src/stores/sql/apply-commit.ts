import type { Change, CommitConflict, Committed } from '../../model/change.ts';
import type { RecordId } from '../../model/ids.ts';
import {
  applyBury,
  applyDelete,
  applyEmbed,
  applyImport,
  applyPurge,
  applyPut,
  applyRelate,
  applyRestore,
  applyUnrelate,
} from './apply-changes.ts';
import { writeEntries } from './feed.ts';
import type { CommitRequest, CommitStart, CommitWork } from './plan-writes.ts';
import { applyReceipt } from './receipts.ts';
import { readAhead } from './record-table.ts';
import type { Steps } from './statements.ts';

const APPLIERS: {
  [Op in Change['op']]: (work: CommitWork, change: Extract<Change, { op: Op }>) => Steps<CommitConflict | null>;
} = {
  put: applyPut,
  delete: applyDelete,
  restore: applyRestore,
  purge: applyPurge,
  bury: applyBury,
  import: applyImport,
  relate: applyRelate,
  unrelate: applyUnrelate,
  embed: applyEmbed,
  receipt: applyReceipt,
};

/** Runs inside a transaction that holds the feed's head. After a conflict what was written so far must be rolled back. */
export function* applyCommit(request: CommitRequest, { head, replica, mark }: CommitStart): Steps<Committed> {
  const { changes, ...about } = request;
  const work: CommitWork = {
    ...about,
    replica,
    entries: [],
    seq: head,
    index: 0,
    revisions: {},
    readAhead: yield* readAhead(request.space, changes.flatMap(recordOf)),
  };
  for (const [index, change] of changes.entries()) {
    work.index = index;
    // The compiler does not follow that the table's entry for an op takes the changes of that op.
    const apply: (work: CommitWork, change: never) => Steps<CommitConflict | null> = APPLIERS[change.op];
    const conflict = yield* apply(work, change as never);
    if (conflict !== null) return { outcome: 'conflict', conflict };
  }
  yield* writeEntries(request.space, work.entries, { mark });
  return { outcome: 'committed', head: work.seq, revisions: work.revisions };
}

/** The record whose row a change begins with. */
function recordOf(change: Change): RecordId[] {
  if (change.op === 'import') return [change.record.id];
  return change.op === 'put' || change.op === 'delete' || change.op === 'restore' || change.op === 'purge'
    ? [change.id]
    : [];
}

/** About how many rows a commit writes, for the bound on one transaction. */
export function weighCommit(changes: readonly Change[]): number {
  let weight = 0;
  for (const change of changes) {
    weight += 1;
    if ('passages' in change) weight += change.passages.length;
    if ('vectors' in change) weight += change.vectors.length;
    if ('versions' in change) weight += change.versions.length;
  }
  return weight;
}

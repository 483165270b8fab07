import type { Change, CommitConflict, Committed } from '../../model/change.ts';
import type { Instant, RecordId, Sequence, SpaceId } from '../../model/ids.ts';
import { applyChange, type ChangeAppliers, type CommitRequest } from '../apply-change.ts';
import type { FeedNote } from '../plan-writes.ts';
import type { RecordRowWithSums } from '../rows/record-row.ts';
import { applyDelete, applyPurge, applyRestore } from './change-lifecycle.ts';
import { applyImport, applyPut } from './change-put.ts';
import { applyReceipt } from './change-receipts.ts';
import { applyRelate, applyUnrelate } from './change-relations.ts';
import { applyEmbed } from './change-vectors.ts';
import type { Session } from './database.ts';
import { writeEntries } from './feed.ts';
import { readRowsAhead } from './record-table.ts';

/** One commit while it is being applied. */
export interface CommitWork {
  readonly session: Session;
  readonly space: SpaceId;
  readonly actor: string;
  readonly now: Instant;
  readonly commitId: string;
  /** The feed's last number, counted up with each entry. */
  seq: Sequence;
  /** What the feed will say of it. */
  readonly entries: (FeedNote & { seq: Sequence })[];
  /** Which change is being applied. */
  index: number;
  readonly revisions: Record<RecordId, number>;
  readonly readAhead: Map<RecordId, RecordRowWithSums | undefined>;
}

const APPLIERS: ChangeAppliers<CommitWork, Promise<CommitConflict | null>> = {
  put: applyPut,
  delete: applyDelete,
  restore: applyRestore,
  purge: applyPurge,
  import: applyImport,
  relate: applyRelate,
  unrelate: applyUnrelate,
  embed: applyEmbed,
  receipt: applyReceipt,
};

/** Runs inside a transaction that holds the feed's head at `head`. After a conflict what was written so far must be rolled back. */
export async function applyCommit(
  session: Session,
  request: CommitRequest,
  { head, commitId }: { head: Sequence; commitId: string },
): Promise<Committed> {
  const { space, changes, actor, now } = request;
  const readAhead = await readRowsAhead(session, space, changes.flatMap(recordOf));
  const work: CommitWork = {
    session,
    space,
    actor,
    now,
    commitId,
    seq: head,
    entries: [],
    index: 0,
    revisions: {},
    readAhead,
  };
  for (const [index, change] of changes.entries()) {
    work.index = index;
    const conflict = await applyChange(APPLIERS, work, change);
    if (conflict !== null) return { outcome: 'conflict', conflict };
  }
  writeEntries(work);
  await session.settle();
  return { outcome: 'committed', head: work.seq, revisions: work.revisions };
}

/** The record whose row a change begins with. */
function recordOf(change: Change): RecordId[] {
  if (change.op === 'import') return [change.record.id];
  return change.op === 'put' || change.op === 'delete' || change.op === 'restore' || change.op === 'purge'
    ? [change.id]
    : [];
}

import type { Caller } from '../../model/caller.ts';
import type { Change, CommitConflict } from '../../model/change.ts';
import { EngineError } from '../../model/errors.ts';
import type { RecordContent, RecordKind, StoredRecord } from '../../model/record.ts';
import type { EngineParts } from '../engine-parts.ts';
import { checkRevision } from './check-revision.ts';
import { locate } from './locate.ts';
import { passagesOf, type SearchableMaker } from './make-searchable.ts';
import { actorOf } from './origin.ts';
import { readSearchable, updateChange } from './record-changes.ts';
import { retryConflicts } from './retry-conflicts.ts';

export interface ChangePlan<Outcome> {
  /** None: the outcome holds as things stand. */
  changes: Change[];
  outcome: Outcome;
}

export interface RecordToChange<Outcome> {
  kind: RecordKind;
  ref: string;
  /** Only if it is still at this revision. */
  revision?: number;
  plan(record: StoredRecord): Promise<ChangePlan<Outcome>>;
}

/** Reads a record, plans its change and commits it; begins anew when somebody else was faster. */
export async function changeRecord<Outcome>(
  parts: EngineParts,
  caller: Caller,
  { kind, ref, revision, plan }: RecordToChange<Outcome>,
): Promise<Outcome> {
  return retryConflicts(async () => {
    const record = await locate(parts, caller, { kind, ref, action: 'write', deleted: 'exclude' });
    checkRevision(record, revision);
    const { changes, outcome } = await plan(record);
    if (changes.length === 0) return outcome;
    const committed = await parts.store.commit(record.space, changes, actorOf(caller));
    if (committed.outcome === 'committed') return outcome;
    refuseLasting(kind, committed.conflict);
    return null;
  });
}

export interface ContentChange {
  content: RecordContent;
  make: SearchableMaker;
  reason?: string;
}

/** New content for a record. Passages and vectors are made anew only where its text is another. */
export async function planContent(
  { store, kinds }: EngineParts,
  record: StoredRecord,
  { content, make, reason }: ContentChange,
): Promise<{ change: Change; record: StoredRecord; warnings: string[] }> {
  const kind = kinds.need(record.kind);
  const isRetexted = JSON.stringify(passagesOf(kind, content)) !== JSON.stringify(passagesOf(kind, record));
  const [made] = isRetexted ? await make([content]) : [];
  const searchable = made ?? (await readSearchable(store, record.space, record.id));
  const unlessDuplicate = content.contentHash !== record.contentHash || content.project !== record.project;
  return {
    change: updateChange(record, content, { ...searchable, unlessDuplicate, reason }),
    record: { ...record, ...content, revision: record.revision + 1 },
    warnings: made?.warnings ?? [],
  };
}

/** A conflict that another attempt cannot resolve. */
function refuseLasting(kind: RecordKind, conflict: CommitConflict): void {
  if (conflict.reason === 'duplicate') {
    throw new EngineError('conflict', `Another ${kind} has this very text already.`, {
      hint: 'Use that one, or delete it first.',
      details: { other: conflict.id },
    });
  }
  if (conflict.reason === 'key_taken') {
    throw new EngineError('conflict', `The key of this ${kind} is in use in that project.`, {
      details: { other: conflict.id },
    });
  }
}

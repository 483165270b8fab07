import type { Caller } from '../../model/caller.ts';
import type { Change, CommitConflict } from '../../model/change.ts';
import { EngineError } from '../../model/errors.ts';
import { newRecordId } from '../../model/ids.ts';
import type { UpdateMemoryInput, UpdateOutcome } from '../../model/memory.ts';
import type { StoredRecord } from '../../model/record.ts';
import { toMemory } from '../../model/to-memory.ts';
import type { EngineParts } from '../engine-parts.ts';
import { type AppliedUpdate, applyUpdate, checkIsAt } from './apply-update.ts';
import { checkText, invalid } from './check-text.ts';
import { locate } from './locate.ts';
import { createPassageMaker, type PassageMaker } from './make-passages.ts';
import { createChange, readSearchable, supersedeChange, supersedesRelation, updateChange } from './record-changes.ts';
import { retryConflicts } from './retry-conflicts.ts';
import { actorOf } from './stamp.ts';
import { newMemory } from './store-plan.ts';

interface UpdatePlan {
  changes: Change[];
  outcome: UpdateOutcome;
}

export async function updateMemory(
  parts: EngineParts,
  caller: Caller,
  input: UpdateMemoryInput,
): Promise<UpdateOutcome> {
  if (input.versioned === true && input.content === undefined)
    throw invalid('content', 'is needed for a versioned update');
  if (input.reason !== undefined) checkText('reason', input.reason);
  const make = createPassageMaker(parts);
  return retryConflicts(async () => {
    const record = await locate(parts, caller, { ref: input.ref, action: 'write', deleted: 'exclude' });
    checkIsAt(record, input.revision);
    const update = applyUpdate(record, input, { caller, settings: parts.settings, now: parts.clock.now() });
    if (update.changed.length === 0)
      return { outcome: 'unchanged', memory: toMemory(record), changed: [], previous: null, warnings: update.warnings };
    const work = { record, update, make, reason: input.reason };
    const plan = input.versioned === true ? await planVersion(parts, work) : await planUpdate(parts, work);
    const committed = await parts.store.commit(record.space, plan.changes, actorOf(caller));
    if (committed.outcome === 'committed') return plan.outcome;
    refuseLasting(committed.conflict);
    return null;
  });
}

interface Work {
  record: StoredRecord;
  update: AppliedUpdate;
  make: PassageMaker;
  reason: string | undefined;
}

async function planUpdate(parts: EngineParts, { record, update, make, reason }: Work): Promise<UpdatePlan> {
  const { content, changed, warnings } = update;
  const retexted = changed.includes('content');
  const [made] = retexted ? await make([content.content]) : [];
  const searchable = made ?? (await readSearchable(parts.store, record.space, record.id));
  const unlessDuplicate = content.contentHash !== record.contentHash || content.project !== record.project;
  const change = updateChange(record, content, {
    ...searchable,
    unlessDuplicate,
    ...(reason === undefined ? {} : { reason }),
  });
  const memory = toMemory({ ...record, ...content, revision: record.revision + 1 });
  return {
    changes: [change],
    outcome: { outcome: 'updated', memory, changed, previous: null, warnings: withWarning(warnings, made?.warning) },
  };
}

/** The new text becomes a memory of its own with the old one's labels; the old one stays readable behind it. */
async function planVersion(parts: EngineParts, { record, update, make, reason }: Work): Promise<UpdatePlan> {
  if (record.supersededBy !== null) {
    throw new EngineError('conflict', 'This memory has a newer version already.', {
      hint: 'Update the newer one.',
      details: { supersededBy: record.supersededBy },
    });
  }
  const now = parts.clock.now();
  const id = newRecordId(now);
  const content = { ...update.content, createdAt: now, updatedAt: now };
  const text = (await make([content.content]))[0]!;
  const changes: Change[] = [
    await supersedeChange(parts.store, record, { id, at: now, ...(reason === undefined ? {} : { reason }) }),
    createChange(id, content, { ...text, unlessDuplicate: true }),
    { op: 'relate', relation: supersedesRelation(id, record.id, now) },
  ];
  const memory = newMemory(record.space, id, content);
  const warnings = withWarning(update.warnings, text.warning);
  return { changes, outcome: { outcome: 'versioned', memory, changed: update.changed, previous: record.id, warnings } };
}

/** A conflict that another attempt cannot resolve. */
function refuseLasting(conflict: CommitConflict): void {
  if (conflict.reason === 'duplicate') {
    throw new EngineError('conflict', 'Another memory has this very text already.', {
      hint: 'Use that one, or delete it first.',
      details: { other: conflict.id },
    });
  }
  if (conflict.reason === 'key_taken') {
    throw new EngineError('conflict', 'The key of this memory is in use in that project.', {
      details: { other: conflict.id },
    });
  }
}

function withWarning(warnings: string[], more: string | null | undefined): string[] {
  return more === null || more === undefined ? warnings : [...warnings, more];
}

import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import { newRecordId } from '../../model/ids.ts';
import type { UpdateMemoryInput, UpdateOutcome } from '../../model/memory.ts';
import type { StoredRecord } from '../../model/record.ts';
import { toMemory } from '../../model/to-memory.ts';
import type { EngineParts } from '../engine-parts.ts';
import { type ChangePlan, changeRecord, planContent } from '../records/change-record.ts';
import { checkText, invalid } from '../records/check-text.ts';
import { createSearchableMaker, type SearchableMaker } from '../records/make-searchable.ts';
import { createChange, supersedeChange, supersedesRelation } from '../records/record-changes.ts';
import { type AppliedUpdate, applyUpdate } from './apply-update.ts';
import { memoryKind } from './memory-kind.ts';
import { newMemory } from './store-plan.ts';

export async function updateMemory(
  parts: EngineParts,
  caller: Caller,
  input: UpdateMemoryInput,
): Promise<UpdateOutcome> {
  const { ref, revision, reason, versioned } = input;
  if (versioned === true && input.content === undefined) throw invalid('content', 'is needed for a versioned update');
  if (reason !== undefined) checkText('reason', reason);
  const make = createSearchableMaker(parts);
  return changeRecord<UpdateOutcome>(parts, caller, {
    kind: memoryKind.name,
    ref,
    revision,
    async plan(record) {
      const update = applyUpdate(record, input, { caller, settings: parts.settings, now: parts.clock.now() });
      const { changed, warnings } = update;
      if (changed.length === 0)
        return {
          changes: [],
          outcome: { outcome: 'unchanged', memory: toMemory(record), changed, previous: null, warnings },
        };
      const plan = versioned === true ? planVersion : planUpdate;
      return plan(parts, record, { update, make, reason });
    },
  });
}

interface Work {
  update: AppliedUpdate;
  make: SearchableMaker;
  reason: string | undefined;
}

async function planUpdate(
  parts: EngineParts,
  record: StoredRecord,
  { update, make, reason }: Work,
): Promise<ChangePlan<UpdateOutcome>> {
  const { content, changed, warnings } = update;
  const planned = await planContent(parts, record, { content, make, reason });
  return {
    changes: [planned.change],
    outcome: {
      outcome: 'updated',
      memory: toMemory(planned.record),
      changed,
      previous: null,
      warnings: [...warnings, ...planned.warnings],
    },
  };
}

/** The new text becomes a memory of its own with the old one's labels; the old one stays readable behind it. */
async function planVersion(
  { store, clock }: EngineParts,
  record: StoredRecord,
  { update, make, reason }: Work,
): Promise<ChangePlan<UpdateOutcome>> {
  if (record.supersededBy !== null) {
    throw new EngineError('conflict', 'This memory has a newer version already.', {
      hint: 'Update the newer one.',
      details: { supersededBy: record.supersededBy },
    });
  }
  const now = clock.now();
  const id = newRecordId(now);
  const content = { ...update.content, createdAt: now, updatedAt: now };
  const text = (await make([content]))[0]!;
  return {
    changes: [
      await supersedeChange(store, record, { id, at: now, reason }),
      createChange(id, content, { ...text, unlessDuplicate: true }),
      { op: 'relate', relation: supersedesRelation(id, record.id, now) },
    ],
    outcome: {
      outcome: 'versioned',
      memory: newMemory(record.space, id, content),
      changed: update.changed,
      previous: record.id,
      warnings: [...update.warnings, ...text.warnings],
    },
  };
}

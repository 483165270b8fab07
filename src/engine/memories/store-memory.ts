import type { Caller } from '../../model/caller.ts';
import type { StoreMemoryInput, StoreOutcome } from '../../model/memory.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import { createSearchableMaker, type SearchableMaker } from '../records/make-searchable.ts';
import { actorOf } from '../records/origin.ts';
import { retryConflicts } from '../records/retry-conflicts.ts';
import { type NewMemory, readNewMemory } from './new-memory.ts';
import { planStore } from './plan-store.ts';
import { findAnswer, receiptChange } from './receipts.ts';
import type { StorePlan } from './store-plan.ts';

export async function storeMemory(parts: EngineParts, caller: Caller, input: StoreMemoryInput): Promise<StoreOutcome> {
  authorize(caller, 'write', caller.space);
  const draft = readNewMemory(caller, input, { settings: parts.settings, now: parts.clock.now() });
  return storeDraft(parts, caller, { draft, make: createSearchableMaker(parts) });
}

export async function storeDraft(
  parts: EngineParts,
  caller: Caller,
  work: { draft: NewMemory; make: SearchableMaker },
): Promise<StoreOutcome> {
  const { draft, make } = work;
  return retryConflicts(async () => {
    const answered = draft.receipt === null ? null : await findAnswer(parts.store, caller.space, draft.receipt);
    if (answered !== null) return answered;
    const plan = await planStore({ parts, space: caller.space, now: parts.clock.now(), draft, make });
    const changes = changesOf(plan, draft);
    if (changes.length === 0) return plan.outcome;
    const committed = await parts.store.commit(caller.space, changes, actorOf(caller));
    return committed.outcome === 'committed' ? plan.outcome : null;
  });
}

export function changesOf(plan: StorePlan, draft: NewMemory): StorePlan['changes'] {
  if (draft.receipt === null) return plan.changes;
  return [...plan.changes, receiptChange(draft.receipt, plan.outcome, draft.content.createdAt)];
}

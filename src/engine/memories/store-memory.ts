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
  const incoming = readNewMemory(caller, input, { settings: parts.settings, now: parts.clock.now() });
  return storeIncoming(parts, caller, { incoming, make: createSearchableMaker(parts) });
}

export async function storeIncoming(
  parts: EngineParts,
  caller: Caller,
  work: { incoming: NewMemory; make: SearchableMaker },
): Promise<StoreOutcome> {
  const { incoming, make } = work;
  return retryConflicts(async () => {
    const answered = incoming.receipt === null ? null : await findAnswer(parts.store, caller.space, incoming.receipt);
    if (answered !== null) return answered;
    const plan = await planStore({ parts, space: caller.space, now: parts.clock.now(), incoming, make });
    const changes = changesOf(plan, incoming);
    if (changes.length === 0) return plan.outcome;
    const committed = await parts.store.commit(caller.space, changes, actorOf(caller));
    return committed.outcome === 'committed' ? plan.outcome : null;
  });
}

export function changesOf(plan: StorePlan, incoming: NewMemory): StorePlan['changes'] {
  if (incoming.receipt === null) return plan.changes;
  return [...plan.changes, receiptChange(incoming.receipt, plan.outcome, incoming.content.createdAt)];
}

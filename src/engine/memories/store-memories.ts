import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { StoreMemoryInput, StoreOutcome } from '../../model/memory.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import { createSearchableMaker, type SearchableMaker } from '../records/make-searchable.ts';
import { actorOf } from '../records/origin.ts';
import { findResemblingOfEach, resemblance } from './find-resembling.ts';
import { type NewMemory, readNewMemory } from './new-memory.ts';
import { planStore } from './plan-store.ts';
import { findAnswer } from './receipts.ts';
import { changesOf, storeDraft } from './store-memory.ts';
import type { Planning, StorePlan } from './store-plan.ts';

const MAX_BATCH = 1000;
/** A larger batch is a load rather than a conversation: looking for near copies of each would take five times as long as storing them. */
const MAX_COMPARED = 20;
const NOT_COMPARED = `Near copies were not looked for: the batch holds more than ${MAX_COMPARED} memories and names no on_duplicate.`;

/**
 * All inputs are checked before anything is written. Those that do not depend on one another go into one commit;
 * one that does (same text, same key, or a policy that changes other memories) waits for those before it.
 */
export async function storeMemories(
  parts: EngineParts,
  caller: Caller,
  inputs: readonly StoreMemoryInput[],
): Promise<StoreOutcome[]> {
  authorize(caller, 'write', caller.space);
  if (inputs.length > MAX_BATCH) {
    throw new EngineError('too_large', `A batch may hold ${MAX_BATCH} memories; this one has ${inputs.length}.`, {
      details: { field: 'memories', limit: MAX_BATCH, value: inputs.length },
    });
  }
  const { settings, clock } = parts;
  const drafts = inputs.map((input, index) =>
    draftNumbered(index, () => readNewMemory(caller, input, { settings, now: clock.now() })),
  );
  giveIdsInOrder(drafts);
  if (inputs.length > MAX_COMPARED)
    drafts.forEach((draft, i) => void (inputs[i]?.onDuplicate === undefined && leaveUncompared(draft)));
  const make = createSearchableMaker(parts);
  await make(drafts.map((draft) => draft.content));
  const outcomes: StoreOutcome[] = [];
  let next = 0;
  while (next < drafts.length) {
    const group = independentRun(drafts, next);
    outcomes.push(...(await storeGroup(parts, caller, { drafts: group, make })));
    next += group.length;
  }
  return outcomes;
}

async function storeGroup(
  parts: EngineParts,
  caller: Caller,
  work: { drafts: readonly NewMemory[]; make: SearchableMaker },
): Promise<StoreOutcome[]> {
  const { drafts, make } = work;
  const planning = { parts, space: caller.space, now: parts.clock.now(), make };
  const plans: StorePlan[] = [];
  for (const draft of drafts) {
    const answered = draft.receipt === null ? null : await findAnswer(parts.store, caller.space, draft.receipt);
    if (answered !== null) plans.push({ changes: [], outcome: answered });
    else {
      const plan = await planStore({ ...planning, draft, comparesLater: drafts.length > 1 });
      plans.push({ ...plan, changes: changesOf(plan, draft) });
    }
  }
  const changes = plans.flatMap((plan) => plan.changes);
  const committed = changes.length === 0 ? null : await parts.store.commit(caller.space, changes, actorOf(caller));
  if (committed === null || committed.outcome === 'committed') {
    const outcomes = plans.map(({ outcome }) => outcome);
    return drafts.length > 1
      ? compareStored(
          drafts.map((draft) => ({ ...planning, draft })),
          outcomes,
        )
      : outcomes;
  }
  const outcomes: StoreOutcome[] = [];
  for (const draft of drafts) outcomes.push(await storeDraft(parts, caller, { draft, make }));
  return outcomes;
}

/** Memories of one batch may resemble each other, so they are compared once all can be found. */
async function compareStored(
  plannings: readonly Planning[],
  outcomes: readonly StoreOutcome[],
): Promise<StoreOutcome[]> {
  const wanted = plannings.filter(({ draft }, i) => wantsComparing(draft, outcomes[i]!));
  const found = await findResemblingOfEach(wanted);
  const resembling = new Map(wanted.map((planning, i) => [planning, found[i]!]));
  return outcomes.map((outcome, i) => {
    const near = resembling.get(plannings[i]!);
    if (near === undefined || outcome.outcome !== 'stored') return outcome;
    const others = near.filter(({ record }) => !outcome.resembles.some(({ id }) => id === record.id));
    return { ...outcome, resembles: [...outcome.resembles, ...others.map(resemblance)] };
  });
}

/** Exact copies are still found, and a policy of the operator's that acts on near ones still holds. */
function leaveUncompared(draft: NewMemory): void {
  if (draft.policy !== 'report' || draft.skipsNearCheck) return;
  draft.skipsNearCheck = true;
  draft.warnings.push(NOT_COMPARED);
}

function wantsComparing(draft: NewMemory, outcome: StoreOutcome): boolean {
  return (
    outcome.outcome === 'stored' && outcome.memory.id === draft.id && !draft.skipsNearCheck && draft.policy !== 'store'
  );
}

/** The longest run from `start` in which no draft can touch what another one writes. */
function independentRun(drafts: readonly NewMemory[], start: number): NewMemory[] {
  const run: NewMemory[] = [];
  const seen = new Set<string>();
  for (const draft of drafts.slice(start)) {
    const names = namesOf(draft);
    if (run.length > 0 && (changesOthers(draft) || names.some((name) => seen.has(name)))) break;
    run.push(draft);
    for (const name of names) seen.add(name);
    if (changesOthers(draft)) break;
  }
  return run;
}

function changesOthers(draft: NewMemory): boolean {
  return draft.policy !== 'report' && draft.policy !== 'store';
}

function namesOf({ content, receipt }: NewMemory): string[] {
  const names = [`text:${content.project ?? ''}\n${content.contentHash}`];
  if (content.key !== null) names.push(`key:${content.project ?? ''}\n${content.key}`);
  if (receipt !== null) names.push(`receipt:${receipt.key}`);
  return names;
}

/** So that the last of a batch is the newest, although most have the same time. */
function giveIdsInOrder(drafts: readonly NewMemory[]): void {
  const ids = drafts.map((draft) => draft.id).sort();
  drafts.forEach((draft, i) => {
    draft.id = ids[i]!;
  });
}

function draftNumbered(index: number, draft: () => NewMemory): NewMemory {
  try {
    return draft();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new EngineError(error.code, `Memory ${index + 1} of the batch: ${error.message}`, {
      details: { ...error.details, index },
      hint: error.hint,
      cause: error,
    });
  }
}

import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import { retryConflicts } from '../../engine/records/change-record.ts';
import { createSearchableMaker, type SearchableMaker } from '../../engine/records/make-searchable.ts';
import { actorOf } from '../../engine/records/origin.ts';
import { openRedactor } from '../../engine/records/redact-content.ts';
import { isReadOut, sourceOf } from '../../engine/rejections/claims.ts';
import { describeRejection, rejected } from '../../engine/rejections/guard-commits.ts';
import { type AllRejections, findInTurns } from '../../engine/rejections/space-rejections.ts';
import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import { createPacer } from '../../search/index/pacer.ts';
import { findResemblingOfEach, resemblance } from './find-resembling.ts';
import type { StoredOutcome, StoreMemoryInput, StoreOutcome } from './memory.ts';
import { type NewMemory, readNewMemory } from './new-memory.ts';
import { type Planning, planStore, type StorePlan } from './plan-store.ts';
import { findAnswer, receiptChange } from './receipts.ts';

const MAX_BATCH = 1000;
/** A larger batch is a load rather than a conversation: looking for near copies of each would take five times as long as storing them. */
const MAX_COMPARED = 20;
const NOT_COMPARED = `Near duplicates were not checked: the batch has more than ${MAX_COMPARED} memories and does not set on_duplicate.`;

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
    throw new EngineError(
      'too_large',
      `A batch may have at most ${MAX_BATCH} memories; this one has ${inputs.length}.`,
      {
        details: { field: 'memories', limit: MAX_BATCH, value: inputs.length },
      },
    );
  }
  const { settings, clock } = parts;
  const [strict, lenient] = [
    await openRedactor(parts, caller),
    inputs.some(({ noRedact }) => noRedact === true) ? await openRedactor(parts, caller, true) : null,
  ];
  const batch: NewMemory[] = [];
  const pace = createPacer();
  for (const [index, input] of inputs.entries()) {
    const redactor = input.noRedact === true ? lenient! : strict;
    await redactor.readAhead(input.content);
    batch.push(readNumbered(index, () => readNewMemory(caller, input, { settings, now: clock.now(), redactor })));
    await pace();
  }
  if (inputs.length > MAX_COMPARED)
    batch.forEach((incoming, i) => void (inputs[i]?.onDuplicate === undefined && leaveUncompared(incoming)));
  const kept = await findKeptOut(parts, caller, batch);
  const wanted = batch.filter((incoming) => !kept.has(incoming));
  const make = createSearchableMaker(parts);
  await make(wanted.map((incoming) => incoming.content));
  const outcomes = new Map<NewMemory, StoreOutcome>(kept);
  let next = 0;
  while (next < wanted.length) {
    const group = independentRun(wanted, next);
    const stored = await storeGroup(parts, caller, { batch: group, make });
    for (const [i, incoming] of group.entries()) outcomes.set(incoming, stored[i]!);
    next += group.length;
  }
  return batch.map((incoming) => outcomes.get(incoming)!);
}

type KeptOut = Extract<StoreOutcome, { outcome: 'rejected' }>;

/** Those that state what a person has rejected. The whole text counts, also where it would be split. */
async function findKeptOut(
  { rejections }: { rejections: AllRejections },
  { space }: Caller,
  batch: readonly NewMemory[],
): Promise<Map<NewMemory, KeptOut>> {
  const kept = new Map<NewMemory, KeptOut>();
  const state = await rejections.fresh(space);
  if (state.byClaim.size === 0) return kept;
  const pace = createPacer();
  for (const incoming of batch) {
    const { content } = incoming;
    const from = isReadOut(content) ? sourceOf(content) : null;
    const rejection = await findInTurns(rejections, space, { text: content.content, from, state, pace });
    if (rejection !== null)
      kept.set(incoming, {
        outcome: 'rejected',
        rejection,
        message: describeRejection(rejection),
        warnings: [],
        searchableBy: 'text',
        redactions: incoming.redactions,
      });
  }
  return kept;
}

async function storeGroup(
  parts: EngineParts,
  caller: Caller,
  work: { batch: readonly NewMemory[]; make: SearchableMaker },
): Promise<StoreOutcome[]> {
  const { batch, make } = work;
  const planning = { parts, space: caller.space, now: parts.clock.now(), make };
  const plans: StorePlan[] = [];
  for (const incoming of batch) {
    const answered = incoming.receipt === null ? null : await findAnswer(parts.store, caller.space, incoming.receipt);
    if (answered !== null) plans.push({ changes: [], outcome: answered });
    else {
      const plan = await planStore({ ...planning, incoming, comparesLater: batch.length > 1 });
      plans.push({ ...plan, changes: changesOf(plan, incoming) });
    }
  }
  const changes = plans.flatMap((plan) => plan.changes);
  const committed = changes.length === 0 ? null : await parts.store.commit(caller.space, changes, actorOf(caller));
  if (committed === null || committed.outcome === 'committed') {
    const outcomes = plans.map(({ outcome }) => outcome);
    if (batch.length === 1) return outcomes;
    const plannings = batch.map((incoming) => ({ ...planning, incoming }));
    return compareStored(plannings, outcomes);
  }
  const outcomes: StoreOutcome[] = [];
  for (const incoming of batch) outcomes.push(await storeIncoming(parts, caller, { incoming, make }));
  return outcomes;
}

/** Memories of one batch may resemble each other, so they are compared once all can be found. */
async function compareStored(
  plannings: readonly Planning[],
  outcomes: readonly StoreOutcome[],
): Promise<StoreOutcome[]> {
  const wanted = plannings.filter(({ incoming }, i) => wantsComparing(incoming, outcomes[i]!));
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
function leaveUncompared(incoming: NewMemory): void {
  if (incoming.policy !== 'report' || incoming.skipsNearCheck) return;
  incoming.skipsNearCheck = true;
  incoming.warnings.push(NOT_COMPARED);
}

function wantsComparing(incoming: NewMemory, outcome: StoreOutcome): boolean {
  return (
    outcome.outcome === 'stored' &&
    outcome.memory.id === incoming.id &&
    !incoming.skipsNearCheck &&
    incoming.policy !== 'store'
  );
}

/** The longest run from `start` in which no memory can touch what another one writes. */
function independentRun(batch: readonly NewMemory[], start: number): NewMemory[] {
  const run: NewMemory[] = [];
  const seen = new Set<string>();
  for (const incoming of batch.slice(start)) {
    const names = namesOf(incoming);
    if (run.length > 0 && (changesOthers(incoming) || names.some((name) => seen.has(name)))) break;
    run.push(incoming);
    for (const name of names) seen.add(name);
    if (changesOthers(incoming)) break;
  }
  return run;
}

function changesOthers(incoming: NewMemory): boolean {
  return incoming.policy !== 'report' && incoming.policy !== 'store';
}

function namesOf({ content, receipt }: NewMemory): string[] {
  const names = [`text:${content.project ?? ''}\n${content.contentHash}`];
  if (content.key !== null) names.push(`key:${content.project ?? ''}\n${content.key}`);
  if (receipt !== null) names.push(`receipt:${receipt.key}`);
  return names;
}

function readNumbered(index: number, incoming: () => NewMemory): NewMemory {
  try {
    return incoming();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new EngineError(error.code, `Memory ${index + 1} of the batch: ${error.message}`, {
      details: { ...error.details, index },
      hint: error.hint,
      cause: error,
    });
  }
}

export async function storeMemory(parts: EngineParts, caller: Caller, input: StoreMemoryInput): Promise<StoredOutcome> {
  authorize(caller, 'write', caller.space);
  const redactor = await openRedactor(parts, caller, input.noRedact);
  const pace = createPacer();
  await redactor.readAhead(input.content);
  const incoming = readNewMemory(caller, input, { settings: parts.settings, now: parts.clock.now(), redactor });
  await pace();
  const kept = (await findKeptOut(parts, caller, [incoming])).get(incoming);
  if (kept !== undefined) throw rejected(kept.rejection);
  return storeIncoming(parts, caller, { incoming, make: createSearchableMaker(parts) });
}

async function storeIncoming(
  parts: EngineParts,
  caller: Caller,
  work: { incoming: NewMemory; make: SearchableMaker },
): Promise<StoredOutcome> {
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

function changesOf(plan: StorePlan, incoming: NewMemory): StorePlan['changes'] {
  if (incoming.receipt === null) return plan.changes;
  return [...plan.changes, receiptChange(incoming.receipt, plan.outcome, incoming.content.createdAt)];
}

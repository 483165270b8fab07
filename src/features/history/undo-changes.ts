import { authorize, isPerson } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { TimeKeeper } from '../../engine/maintenance/believed-time.ts';
import { planContent } from '../../engine/records/change-record.ts';
import { createSearchableMaker, type SearchableMaker } from '../../engine/records/make-searchable.ts';
import { actorOf } from '../../engine/records/origin.ts';
import { contentOf } from '../../engine/records/record-changes.ts';
import { describeRejection, findRejectedChanges } from '../../engine/rejections/guard-commits.ts';
import { isRejectionKey } from '../../engine/rejections/rejection-kind.ts';
import type { Caller } from '../../model/caller.ts';
import type { Change, FeedEntry } from '../../model/change.ts';
import { passOver } from '../../model/damage.ts';
import type { RecordId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import { firstLine } from '../../search/text/make-snippet.ts';
import { collectChanges, keyOf } from './collect-changes.ts';
import type { UndoInput, UndoneChange, UndoOutcome } from './history.ts';
import { planRelation } from './undo-relation.ts';

/** What has to be written to undo what was done to one record or relation. */
export interface UndoPlan {
  changes: Change[];
  done: UndoneChange;
}

/** Why it cannot be undone. */
export interface NotUndone {
  id: RecordId;
  reason: string;
}

const TITLE_CHARS = 80;
/** Small enough that others get their turn in between. */
const BATCH = 50;

/**
 * Puts records and relations back to what they were before the given changes, where nobody has changed them since. The undoing is a change like others: it
 * stands in the feed, earlier states are kept, and it can be undone.
 */
export async function undoChanges(parts: EngineParts, caller: Caller, input: UndoInput): Promise<UndoOutcome> {
  const { space } = caller;
  authorize(caller, 'write', space);
  const { chosen, later } = await collectChanges(parts, caller, input);
  if (chosen.some(({ actor }) => actor !== actorOf(caller))) authorize(caller, 'curate', space);
  const plans: UndoPlan[] = [];
  const left: NotUndone[] = [];
  const make = createSearchableMaker(parts);
  for (const group of groupEntries(chosen)) {
    const plan = await planGroup(parts, caller, { group, later, make });
    if (plan !== null) 'reason' in plan ? left.push(plan) : plans.push(plan);
  }
  // What was new goes first: it may hold the key of what it replaced.
  plans.sort((a, b) => rankOf(a) - rankOf(b));
  const range = { first: chosen[0]?.seq ?? null, last: chosen.at(-1)?.seq ?? null };
  if (input.dryRun === true) return { outcome: 'would_undo', changes: plans.map(({ done }) => done), left, ...range };
  const done = await commitPlans(parts, caller, { plans, left });
  return { outcome: done.length === 0 ? 'nothing' : 'undone', changes: done, left, ...range };
}

const ORDER: readonly UndoneChange['what'][] = ['deleted', 'reverted', 'restored', 'unrelated', 'related'];

function rankOf({ done }: UndoPlan): number {
  return ORDER.indexOf(done.what);
}

/** The changes of one record, or of one relation, in order. */
function groupEntries(entries: readonly FeedEntry[]): FeedEntry[][] {
  return [...Map.groupBy(entries, keyOf).values()];
}

interface Group {
  group: readonly FeedEntry[];
  later: ReadonlySet<string>;
  make: SearchableMaker;
}

/** null: it is as it was already. */
async function planGroup(
  parts: EngineParts,
  caller: Caller,
  { group, later, make }: Group,
): Promise<UndoPlan | NotUndone | null> {
  const [first] = group;
  const { id } = first!;
  if (later.has(keyOf(first!))) return { id, reason: 'It was changed again since.' };
  if (first!.relation !== null) return planRelation(parts, caller, group);
  if (group.some(({ op }) => op === 'purged')) return { id, reason: 'It was purged for good.' };
  const [record] = await parts.store.getRecords(caller.space, [id], passOver);
  if (record === undefined) return { id, reason: 'It is not there any more.' };
  const revisions = group.flatMap(({ revision }) => revision ?? []);
  if (record.revision !== revisions.at(-1) || record.revision - revisions[0]! + 1 !== revisions.length)
    return { id, reason: 'It was changed again since.' };
  return first!.op === 'created' ? planRemoval(parts, record) : planReturn(parts, caller, { record, group, make });
}

async function planRemoval({ time }: { time: TimeKeeper }, record: StoredRecord): Promise<UndoPlan | NotUndone | null> {
  // Other rejections are under it too.
  if (record.deletedAt !== null || isRejectionKey(record)) return null;
  const at = await time.timeOfDeletion();
  return { changes: [{ op: 'delete', id: record.id, at, revision: record.revision }], done: tell(record, 'deleted') };
}

async function planReturn(
  parts: EngineParts,
  caller: Caller,
  { record, group, make }: Pick<Group, 'group' | 'make'> & { record: StoredRecord },
): Promise<UndoPlan | NotUndone | null> {
  const { id } = record;
  const wanted = group[0]!.revision! - 1;
  const versions = await parts.store.listVersions(caller.space, id, passOver);
  const earlier = versions.findLast((version) => version.record.revision >= wanted)?.record;
  if (earlier === undefined && group.some(({ op }) => op === 'updated'))
    return { id, reason: 'No earlier state of it is kept.' };
  const wasDeleted = group[0]!.op === 'restored';
  const changes: Change[] = [];
  let { revision } = record;
  const isLiveNow = record.deletedAt === null;
  if (!isLiveNow && (earlier !== undefined || !wasDeleted))
    changes.push({ op: 'restore', id, at: parts.clock.now(), revision: revision++ });
  if (earlier !== undefined) {
    const options = { content: contentOf(earlier), make, reason: 'undo', raisesTrust: isPerson(caller) };
    const { change } = await planContent(parts, { ...record, revision, deletedAt: null }, options);
    changes.push({ ...change, unlessDuplicate: false } as Change);
    revision++;
  }
  if (wasDeleted && (isLiveNow || earlier !== undefined))
    changes.push({ op: 'delete', id, at: await parts.time.timeOfDeletion(), revision });
  if (changes.length === 0) return null;
  const what = wasDeleted ? 'deleted' : earlier !== undefined ? 'reverted' : 'restored';
  return { changes, done: tell({ ...record, ...earlier }, what) };
}

function tell({ id, kind, title, content }: StoredRecord, what: UndoneChange['what']): UndoneChange {
  return { id, kind, title: title ?? firstLine(content, TITLE_CHARS), what, relation: null };
}

/** In batches; whatever is in the way of one plan is told, and the others go on. */
async function commitPlans(
  parts: EngineParts,
  caller: Caller,
  { plans, left }: { plans: readonly UndoPlan[]; left: NotUndone[] },
): Promise<UndoneChange[]> {
  const done: UndoneChange[] = [];
  const guarded = plans.flatMap(({ changes }) => changes);
  const kept = new Map(
    (await findRejectedChanges(parts.store, parts, { space: caller.space, changes: guarded })).map((one) => [
      one.change,
      one,
    ]),
  );
  const rejectionIn = ({ changes }: UndoPlan) =>
    changes.map((change) => kept.get(change)).find((one) => one !== undefined);
  for (const plan of plans) {
    const found = rejectionIn(plan);
    if (found !== undefined) left.push({ id: plan.done.id, reason: `It was ${describeRejection(found.rejection)}.` });
  }
  let rest: readonly UndoPlan[] = plans.filter((plan) => rejectionIn(plan) === undefined);
  while (rest.length > 0) {
    const batch = rest.slice(0, BATCH);
    const owners = batch.flatMap((plan) => plan.changes.map(() => plan));
    const committed = await parts.store.commit(
      caller.space,
      batch.flatMap(({ changes }) => changes),
      actorOf(caller),
    );
    if (committed.outcome === 'committed') {
      done.push(...batch.map((plan) => plan.done));
      rest = rest.slice(batch.length);
      continue;
    }
    const inTheWay = owners[committed.conflict.index]!;
    left.push({ id: inTheWay.done.id, reason: REASONS[committed.conflict.reason] ?? 'It was changed again since.' });
    rest = rest.filter((plan) => plan !== inTheWay);
  }
  return done;
}

const REASONS: Readonly<Record<string, string>> = {
  key_taken: 'Another record has its key by now.',
  missing: 'It is not there any more.',
};

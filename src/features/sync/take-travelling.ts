import { authorize, isAllowed } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import { retryConflicts } from '../../engine/records/change-record.ts';
import type { KindTable } from '../../engine/records/kind.ts';
import { passagesOf } from '../../engine/records/kind.ts';
import type { Redactor } from '../../engine/records/redact-content.ts';
import { claimOf } from '../../engine/rejections/claims.ts';
import { rejectionKind } from '../../engine/rejections/rejection-kind.ts';
import type { AllRejections } from '../../engine/rejections/space-rejections.ts';
import { findInTurns } from '../../engine/rejections/space-rejections.ts';
import { withdrawRejected } from '../../engine/rejections/withdraw-rejected.ts';
import type { Caller } from '../../model/caller.ts';
import type { Change } from '../../model/change.ts';
import { passOver } from '../../model/damage.ts';
import { EngineError } from '../../model/errors.ts';
import type { HeldRecord } from '../../model/held-record.ts';
import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import { type Incoming, planTake, type TakePlan, type TakeSurroundings } from '../../model/plan-take.ts';
import { readRelationPart, TEXT } from '../../model/shared-state.ts';
import { createPacer } from '../../search/index/pacer.ts';
import { checkLinkName, cleanPlan, openIncomingRedactor } from './clean-incoming.ts';
import { type Judging, judgeIncoming, judgePeer, mayBury, type RefusalCode } from './judge-incoming.ts';
import { syncActor } from './list-travelling.ts';
import { readTravelLine, type TravelEnd } from './travel-line.ts';

export interface TakeTravellingInput {
  /** By which they came: they are not told back to it. */
  link: string;
  lines: AsyncIterable<string> | Iterable<string>;
  /** What this replica pulled itself; `isOwn`: as far as this side knows, from a space that is its person's too. */
  pulled?: { isOwn: boolean; keep(end: TravelEnd): { name: string; state: JsonObject } };
  dryRun?: boolean;
}

export interface TakenReport {
  /** Records that are another now than they were. */
  taken: number;
  unchanged: number;
  /** What was not taken, and why; the first hundred. */
  refused: Refusal[];
  refusedCount: number;
  /** Where the page ended; null where it does not say. */
  end: TravelEnd | null;
}

interface Refusal {
  id: string;
  why: string;
  code: RefusalCode;
}

const AT_ONCE = 50;
const MAX_TOLD = 100;
/** A page has 500; 32 kB that unpack to a hundred million lines are no page. */
const MAX_LINES = 10_000;

interface Work {
  parts: EngineParts;
  caller: Caller;
  input: TakeTravellingInput;
  judging: Judging;
  redactor: Redactor;
  report: TakenReport;
}

/** Merges what another replica holds into what is here. Whatever ends it in the middle, doing it again does no harm. */
export async function takeTravelling(
  parts: EngineParts,
  caller: Caller,
  input: TakeTravellingInput,
): Promise<TakenReport> {
  authorize(caller, 'write', caller.space);
  await checkLinkName(parts, caller, input.link);
  const { kinds, clock, settings } = parts;
  const work: Work = {
    parts,
    caller,
    input,
    judging: {
      caller,
      kinds,
      now: clock.now(),
      maxContentChars: settings.maxContentChars,
      isPulled: input.pulled !== undefined,
      peer: judgePeer(caller, input.pulled),
    },
    redactor: await openIncomingRedactor(parts, caller),
    report: { taken: 0, unchanged: 0, refused: [], refusedCount: 0, end: null },
  };
  let batch: Incoming[] = [];
  let lines = 0;
  for await (const text of input.lines) {
    if (++lines > MAX_LINES)
      throw new EngineError('too_large', `A request takes at most ${MAX_LINES} lines.`, {
        hint: 'Send what there is in pages.',
        details: { reason: 'too_many_lines', limit: MAX_LINES },
      });
    const line = readTravelLine(text);
    if (line === null) refuse(work, { id: '?', why: 'this line was not understood', code: 'invalid_input' });
    else if ('to' in line) work.report.end = line;
    else {
      if (batch.length === AT_ONCE || batch.some(({ id }) => id === line.id)) {
        await takeBatch(work, batch, []);
        batch = [];
      }
      batch.push(line);
    }
  }
  const { end } = work.report;
  const link = end === null ? undefined : input.pulled?.keep(end);
  // With how far the feed had come by then: what is written later, in a copy of this database, may be another's.
  const seq = link === undefined ? 0 : await parts.store.head(caller.space);
  const after: Change[] = link === undefined ? [] : [{ op: 'link', name: link.name, state: { ...link.state, seq } }];
  await takeBatch(work, batch, after);
  return work.report;
}

function refuse({ report }: Work, refusal: Refusal): void {
  report.refusedCount++;
  if (report.refused.length < MAX_TOLD) report.refused.push(refusal);
}

/** All of it in one commit; where somebody else was faster with a record, what is there now is merged again. */
async function takeBatch(work: Work, batch: readonly Incoming[], after: readonly Change[]): Promise<void> {
  const { parts, caller, input, report } = work;
  if (input.dryRun === true || (batch.length === 0 && after.length === 0)) {
    for (const plan of (await planBatch(work, batch)).plans) report[plan.changes.length > 0 ? 'taken' : 'unchanged']++;
    return;
  }
  const now = await parts.time.timeOfDeletion();
  const done = await retryConflicts(async () => {
    const planned = await planBatch(work, batch);
    const [lacking, plain] = [planned.plans.filter(({ isLacking }) => isLacking), planned.plans];
    const commits: [Change[], string][] = [
      // What the other side lacks is told back to it.
      [
        await withdrawTaken(parts, caller.space, { changes: lacking.flatMap(({ changes }) => changes), at: now }),
        'sync',
      ],
      [
        [
          ...(await withdrawTaken(parts, caller.space, {
            changes: plain.filter(({ isLacking }) => !isLacking).flatMap(({ changes }) => changes),
            at: now,
          })),
          ...after,
        ],
        syncActor(input.link),
      ],
    ];
    for (const [changes, actor] of commits) {
      if (changes.length === 0) continue;
      const committed = await parts.store.commit(caller.space, changes, actor);
      if (committed.outcome === 'conflict') return null;
    }
    return planned;
  });
  for (const refusal of done.refused) refuse(work, refusal);
  for (const plan of done.plans) report[plan.changes.length > 0 ? 'taken' : 'unchanged']++;
  const purged = done.plans.flatMap(({ changes }) =>
    changes.flatMap((change) => (change.op === 'purge' ? [change.id] : [])),
  );
  if (purged.length > 0) await parts.indexes.forget(caller.space, purged);
  const brought = done.plans.flatMap(({ changes }) => changes.filter(bringsRejection));
  if (brought.length > 0) await withdrawRejected(parts, { space: caller.space, actor: 'sync' });
}

function bringsRejection(change: Change): boolean {
  return change.op === 'take' && change.record?.kind === rejectionKind.name && change.record.deletedAt === null;
}

/** What another replica holds as current although it is rejected here is taken, so that both know the same of it, and deleted at once. */
async function withdrawTaken(
  { rejections, kinds }: { rejections: AllRejections; kinds: KindTable },
  space: SpaceId,
  { changes, at }: { changes: readonly Change[]; at: Instant },
): Promise<Change[]> {
  const withdrawn: Change[] = [];
  const state = await rejections.fresh(space);
  const pace = createPacer();
  for (const change of changes) {
    withdrawn.push(change);
    const record = change.op === 'take' || change.op === 'import' ? change.record : null;
    if (record === null || record.deletedAt !== null || record.supersededBy !== null) continue;
    const text = claimOf(kinds, record);
    if (text === null) continue;
    if ((await findInTurns(rejections, space, { text, from: null, withParts: false, state, pace })) === null) continue;
    const id = change.op === 'take' ? change.id : change.op === 'import' ? change.record.id : '';
    withdrawn.push({ op: 'delete', id, at });
  }
  return withdrawn;
}

interface PlannedBatch {
  plans: TakePlan[];
  refused: Refusal[];
}

async function planBatch(work: Work, whole: readonly Incoming[]): Promise<PlannedBatch> {
  const { parts, caller, judging } = work;
  const { store } = parts;
  const batch = await withoutForeignPurges(work, whole);
  const held = await store.readHeld(
    caller.space,
    batch.map(({ id }) => id),
  );
  const around = await makeSurroundings(work, batch, held);
  const planned: PlannedBatch = { plans: [], refused: [] };
  for (const [i, line] of batch.entries()) {
    const here = held[i]!;
    const judged = judgeIncoming(line, here, judging);
    if ('refused' in judged) {
      planned.refused.push({ id: line.id, why: judged.refused, code: judged.code });
      continue;
    }
    const plan = planTake(here, judged.line, around);
    const cleaned = await cleanPlan(work, here, plan);
    if (hasPurge(cleaned) && !hasPurge(plan) && !mayBury(here, judging))
      planned.refused.push({ id: line.id, why: SECRET_IN_FOREIGN, code: 'forbidden' });
    else planned.plans.push(cleaned);
  }
  return planned;
}

/** Letting the text go takes its relations and versions along. */
const SECRET_IN_FOREIGN =
  'it holds a secret, and what another person wrote would be purged with it: take the secret out';

function hasPurge({ changes }: TakePlan): boolean {
  return changes.some(({ op }) => op === 'purge');
}

/** A purge that is not taken keeps nothing out either; that it was refused is told of what it would have purged. */
async function withoutForeignPurges({ parts, caller, judging }: Work, batch: readonly Incoming[]): Promise<Incoming[]> {
  const ids = batch.flatMap((line) => purgedBy(line) ?? []);
  if (ids.length === 0 || judging.isPulled || isAllowed(caller, 'admin', caller.space)) return [...batch];
  const there = await parts.store.getRecords(caller.space, ids, passOver);
  const foreign = new Set(there.filter(({ source }) => source.userId !== caller.userId).map(({ id }) => id));
  return batch.filter((line) => !foreign.has(purgedBy(line) ?? ''));
}

/** The record that a purge has taken, where this is what keeps its text out. */
function purgedBy({ state }: Incoming): RecordId | null {
  if (state?.fields.kind?.value !== rejectionKind.name) return null;
  for (const { body } of Object.values(state.parts[TEXT] ?? {})) {
    const { how, record } = (body ?? {}) as JsonObject;
    if (how === 'purged' && typeof record === 'string') return record;
  }
  return null;
}

/** Graves of everything that relations end at, also those that come along. */
async function makeSurroundings(
  { parts, caller }: Work,
  batch: readonly Incoming[],
  held: readonly HeldRecord[],
): Promise<TakeSurroundings> {
  const { store, kinds, clock } = parts;
  const ends = new Set<RecordId>();
  const states = batch.flatMap(({ state }) => (state === null ? [] : [state]));
  for (const { parts: some } of states)
    for (const name of Object.keys(some)) {
      const end = readRelationPart(name);
      if (end !== null) ends.add(end.to);
    }
  for (const { relations } of held) for (const { to } of relations) ends.add(to);
  const found = await store.readHeld(caller.space, [...ends], { note: passOver, versions: false });
  const buried = new Map(found.map((end) => [end.id, end.buried]));
  for (const line of batch) buried.set(line.id, Math.max(buried.get(line.id) ?? 0, line.buried));
  return {
    isBuried: (id, generation) => (buried.get(id) ?? 0) >= generation,
    derive: (content) => kinds.find(content.kind)?.derive(content) ?? content,
    listPassages(content) {
      const kind = kinds.find(content.kind);
      return kind === undefined ? [{ ordinal: 0, text: content.content }] : passagesOf(kind, content);
    },
    now: clock.now(),
  };
}

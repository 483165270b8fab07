import { authorize } from '../../engine/authorize.ts';
import { createTurns } from '../../engine/create-turns.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { Commits, Records } from '../../engine/ports.ts';
import { readPages } from '../../engine/records/find-records.ts';
import { createSearchableMaker } from '../../engine/records/make-searchable.ts';
import { actorOf } from '../../engine/records/origin.ts';
import { openRedactor, type Redactor } from '../../engine/records/redact-content.ts';
import type { Caller } from '../../model/caller.ts';
import type { Change, CommitConflict } from '../../model/change.ts';
import { EngineError } from '../../model/errors.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { RecordContent } from '../../model/record.ts';
import type { SessionEvent } from '../../model/session-event.ts';
import { createPacer } from '../../search/index/pacer.ts';
import { findEventFault } from './check-event.ts';
import { makeObservation, saysSomething } from './make-observation.ts';
import { type Observation, toObservation } from './observation.ts';
import { observationId, observationKind } from './observation-kind.ts';
import { openEvent } from './open-event.ts';
import { planSessions } from './plan-sessions.ts';
import { EARLIER, type NewObservation, readEarlier } from './read-earlier.ts';
import { planRemembered, withoutSkipped } from './remember-prompt.ts';

export interface RecordedEvents {
  recorded: number;
  /** They were here already, are gone for good, or belong to a turn that was not to be kept. */
  repeated: number;
  refused: { key: string; reason: string }[];
}

/** Of one commit: others get their turn in between. */
const AT_ONCE = 100;
const MAX_ATTEMPTS = 20;

/** Numbers are given one after the other: within a process nobody has to try twice for them. */
const turns = () => createTurns();

/** Takes in what happened in sessions, each event exactly once by its key, whoever delivers it and however often. */
export function recordEvents(
  parts: EngineParts,
  caller: Caller,
  events: readonly SessionEvent[],
): Promise<RecordedEvents> {
  return parts.state(turns)(caller.space, () => recordAll(parts, caller, events));
}

async function recordAll(parts: EngineParts, caller: Caller, events: readonly SessionEvent[]): Promise<RecordedEvents> {
  authorize(caller, 'write', caller.space);
  const out: RecordedEvents = { recorded: 0, repeated: 0, refused: [] };
  const sound: SessionEvent[] = [];
  const pace = createPacer();
  for (const event of events) {
    await pace();
    const reason = findEventFault(event);
    if (reason === null) sound.push(openEvent(event));
    else out.refused.push({ key: typeof event?.key === 'string' ? event.key : '', reason });
  }
  const wanted = withoutSkipped(sound);
  for (let start = 0; start < wanted.length; start += AT_ONCE)
    out.recorded += await recordSome(parts, caller, wanted.slice(start, start + AT_ONCE));
  out.repeated = sound.length - out.recorded;
  return out;
}

async function recordSome(parts: EngineParts, caller: Caller, batch: readonly SessionEvent[]): Promise<number> {
  const { store } = parts;
  const { space } = caller;
  const distinct = [...new Map(batch.map((event) => [event.key, event])).values()];
  const known = new Set(
    (
      await store.getRecords(
        space,
        distinct.map(({ key }) => observationId(key)),
        () => {},
      )
    ).map(({ id }) => id),
  );
  const fresh = distinct.filter(({ key }) => !known.has(observationId(key)));
  const redactor = await openRedactor(parts, caller);
  let waiting = await draftObservations(parts, caller, { events: fresh.filter(saysSomething), redactor });
  let remembered = await planRemembered(parts, caller, { events: fresh, redactor });
  const buried = new Set<RecordId>();
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const last = await store.lastNumber(space);
    const numbered = waiting.map((draft, i) => ({
      ...draft,
      content: observationKind.renumber!(draft.content, last + 1 + i),
    }));
    const silent = fresh.filter((event) => !saysSomething(event));
    const sessions = await planSessions(parts, caller, {
      observations: numbered,
      events: [...waiting.map(({ event }) => event), ...silent],
      buried,
    });
    const changes: Change[] = numbered.map(({ id, content, made: { passages, vectors } }) => ({
      op: 'put',
      id,
      content,
      passages,
      vectors,
      expect: 'never',
      unlessDuplicate: false,
    }));
    if (changes.length > 0) changes.push({ op: 'number', after: last, upTo: last + numbered.length });
    changes.push(...sessions.changes, ...remembered);
    if (changes.length === 0) return 0;
    const committed = await store.commit(space, changes, actorOf(caller));
    if (committed.outcome === 'committed') return numbered.length + sessions.told;
    const { conflict } = committed;
    const refused = changes[conflict.index];
    if (remembered.some((put) => put === refused)) remembered = remembered.filter((put) => put !== refused);
    else if (isThere(conflict) && conflict.index < numbered.length) {
      attempt--;
      const gone = conflict.reason === 'purged' ? await findBuried(parts, space, waiting) : new Set<RecordId>();
      waiting = waiting.filter(({ id }, i) => i !== conflict.index && !gone.has(id));
    } else if (conflict.reason === 'purged') buried.add(conflict.id);
    else if (conflict.reason === 'key_taken' && conflict.index < numbered.length) await skipTaken(parts, space);
  }
  throw new EngineError('busy', 'Others are recording events in this space all the time.', {
    hint: 'Send them again: what is recorded is recorded once.',
  });
}

/** Those that were purged: whoever delivers a whole session again brings many. */
async function findBuried(
  { store }: { store: Records },
  space: SpaceId,
  drafts: readonly NewObservation[],
): Promise<Set<RecordId>> {
  const gone = new Set<RecordId>();
  for (const { id } of drafts) {
    // The next grave after all ids that are smaller.
    const [grave] = await store.listGraves(space, id.slice(0, -1), 1, () => {});
    if (grave?.id === id) gone.add(id);
  }
  return gone;
}

function isThere({ reason }: CommitConflict): boolean {
  return reason === 'exists' || reason === 'purged';
}

/** A number that should have been free is not: the head of the space was made anew after damage. */
async function skipTaken({ store }: { store: Records & Commits }, space: SpaceId): Promise<void> {
  let upTo = 0;
  const filter = { kinds: [observationKind.name], deleted: 'include', includeSuperseded: true } as const;
  for await (const { items } of readPages(store, space, { filter, limit: 500 }))
    for (const record of items) upTo = Math.max(upTo, observationKind.numberOf!(record));
  await store.commit(space, [{ op: 'number', upTo }], 'job:number');
}

/** In the order in which it happened. */
async function draftObservations(
  parts: EngineParts,
  caller: Caller,
  { events, redactor }: { events: readonly SessionEvent[]; redactor: Redactor },
): Promise<NewObservation[]> {
  const earlier = new Map<string, Observation[]>();
  const drafts: { id: RecordId; event: SessionEvent; content: RecordContent }[] = [];
  const pace = createPacer();
  for (const event of events.toSorted((a, b) => a.at - b.at)) {
    const before = earlier.get(event.session) ?? (await readEarlier(parts, caller.space, event.session));
    await redactor.readAhead(event.text ?? '');
    await redactor.readAhead(event.tool?.output ?? '');
    await pace();
    const content = makeObservation(parts, caller, { event, earlier: before, redactor });
    await pace();
    const id = observationId(event.key);
    drafts.push({ id, event, content });
    const state = { ...content, space: caller.space, id, revision: 1, deletedAt: null, generation: 1, dot: '' };
    earlier.set(event.session, [...before, toObservation(state)].slice(-EARLIER));
  }
  const made = await createSearchableMaker(parts)(drafts.map(({ content }) => content));
  return drafts.map((draft, i) => ({ ...draft, made: made[i]! }));
}

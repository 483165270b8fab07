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
import { cleanName } from '../../model/hidden-characters.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import { LAST_INSTANT } from '../../model/instant.ts';
import type { RecordContent } from '../../model/record.ts';
import { isPromptNumber, SESSION_EVENTS, type SessionEvent } from '../../model/session-event.ts';
import type { ScreenedTexts } from '../../privacy/redact-texts.ts';
import { removeSpans } from '../../privacy/remove-spans.ts';
import { createPacer } from '../../search/index/pacer.ts';
import { makeObservation, saysSomething } from './make-observation.ts';
import { type Observation, toObservation } from './observation.ts';
import { observationId, observationKind } from './observation-kind.ts';
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

/**
 * Takes in what happened in sessions, each event exactly once by its key, whoever delivers it and however often. `screened`: what a door of this process has
 * looked at; events out of a file or from the wire come without, and are looked at here.
 */
export function recordEvents(
  parts: EngineParts,
  caller: Caller,
  events: readonly SessionEvent[],
  screened?: ScreenedTexts,
): Promise<RecordedEvents> {
  return parts.state(turns)(caller.space, () => recordAll(parts, caller, { events, screened }));
}

interface Given {
  events: readonly SessionEvent[];
  screened: ScreenedTexts | undefined;
}

async function recordAll(parts: EngineParts, caller: Caller, { events, screened }: Given): Promise<RecordedEvents> {
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
    out.recorded += await recordSome(parts, caller, { events: wanted.slice(start, start + AT_ONCE), screened });
  out.repeated = sound.length - out.recorded;
  return out;
}

async function recordSome(parts: EngineParts, caller: Caller, { events, screened }: Given): Promise<number> {
  const { store } = parts;
  const { space } = caller;
  const distinct = [...new Map(events.map((event) => [event.key, event])).values()];
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
  const redactor = await openRedactor(parts, caller, false, screened);
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

const MAX_LABEL_CHARS = 200;
const MAX_KEY_CHARS = 500;
/** What a hook hands over of one text; longer ones were cut where they came from. */
const MAX_TEXT_CHARS = 1_000_000;

/** Why an event cannot be taken in; null: it can. Nothing about it is believed: a line of a file may say anything. */
function findEventFault(event: SessionEvent): string | null {
  if (event === null || typeof event !== 'object') return 'is not an object';
  const { key, event: name, at, agent, session, project, directory, text, tool, prompt } = event;
  if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_CHARS)
    return `has no key of 1 to ${MAX_KEY_CHARS} characters`;
  if (!SESSION_EVENTS.includes(name)) return `is none of ${SESSION_EVENTS.join(', ')}`;
  if (!Number.isSafeInteger(at) || at < 0 || at > LAST_INSTANT) return 'has no time in milliseconds since 1970';
  if (!isLabel(agent)) return 'does not name its agent';
  if (!isLabel(session)) return 'does not name its session';
  if (project !== null && project !== undefined && !isLabel(project)) return 'has a project that is no name';
  if (directory !== null && directory !== undefined && typeof directory !== 'string')
    return 'has a directory that is no text';
  if (text !== undefined && typeof text !== 'string') return 'has a text that is none';
  if (prompt !== undefined && !isPromptNumber(prompt)) return 'has a prompt that is no number of one';
  if (tool !== undefined && !isToolUse(tool)) return 'has a tool without name, input or output';
  if (name === 'tool' && tool === undefined) return 'names no tool';
  if ((text?.length ?? 0) > MAX_TEXT_CHARS || (tool?.output.length ?? 0) > MAX_TEXT_CHARS)
    return `holds a text of more than ${MAX_TEXT_CHARS} characters`;
  return null;
}

function isLabel(value: unknown): boolean {
  return typeof value === 'string' && cleanName(value) !== '' && value.length <= MAX_LABEL_CHARS;
}

function isToolUse({ name, input, output }: NonNullable<SessionEvent['tool']>): boolean {
  return isLabel(name) && typeof input === 'object' && input !== null && typeof output === 'string';
}

/**
 * An event as it is taken in, whoever delivers it: without private spans and what was injected, which hooks have removed already. Outputs may hold
 * anything; what no database can keep is made visible instead of refused.
 */
function openEvent(event: SessionEvent): SessionEvent {
  const found = new Set(event.screened ?? []);
  const opened = mapTexts(event, (text) => {
    const { text: kept, removed } = removeSpans(text.replaceAll('\0', '\u{fffd}').toWellFormed());
    for (const name of removed) found.add(name);
    return kept;
  });
  const { text, project, ...rest } = opened;
  return {
    ...rest,
    agent: cleanName(rest.agent),
    session: cleanName(rest.session),
    project: typeof project === 'string' ? cleanName(project) : null,
    ...(text !== undefined && text.trim() !== '' && { text }),
    key: event.key,
    ...(found.size > 0 && { screened: [...found] }),
  };
}

/** Keys of objects too. */
function mapTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T;
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change)) as T;
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, one]) => [change(key), mapTexts(one, change)]);
  return Object.fromEntries(entries) as T;
}

import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { Records } from '../../engine/ports.ts';
import { spacesOf } from '../../engine/records/find-records.ts';
import type { KindTable } from '../../engine/records/kind.ts';
import { getRecords, listRecords } from '../../engine/records/list-records.ts';
import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { Instant, RecordId } from '../../model/ids.ts';
import type { Page } from '../../model/page.ts';
import type { RecordKind, Source, StoredRecord, Trust } from '../../model/record.ts';
import { type AgentSession, type Observation, toObservation, toSession } from './observation.ts';
import { observationKind, sessionRecordId } from './observation-kind.ts';
import { sessionKind } from './session-kind.ts';

/** Without an event for so long, a session that was not ended is idle. */
const IDLE_MS = 30 * 60_000;

export const SESSION_STATES = ['active', 'idle', 'ended'] as const;
export type SessionState = (typeof SESSION_STATES)[number];

export interface ListedSession extends AgentSession {
  state: SessionState;
}

export interface PeriodInput {
  project?: string;
  session?: string;
  agent?: string;
  /** Time texts, read in the caller's zone. */
  since?: string;
  until?: string;
  limit?: number;
  cursor?: string;
}

export interface ListObservationsInput extends PeriodInput {
  types?: readonly string[];
  concept?: string;
}

/** Newest first. */
export async function listObservations(
  parts: EngineParts,
  caller: Caller,
  { types, concept, ...period }: ListObservationsInput,
): Promise<Page<Observation>> {
  const more = { ...(types !== undefined && { types }), ...(concept !== undefined && { tags: [concept] }) };
  const { items, ...page } = await listPeriod(parts, caller, { ...period, kinds: [observationKind.name], more });
  return { ...page, items: items.map(toObservation) };
}

/** By when they began, newest first. */
export async function listSessions(
  parts: EngineParts,
  caller: Caller,
  period: PeriodInput,
): Promise<Page<ListedSession>> {
  const { items, ...page } = await listPeriod(parts, caller, { ...period, kinds: [sessionKind.name] });
  return { ...page, items: items.map((record) => describeSession(record, parts.clock.now())) };
}

function describeSession(record: StoredRecord, now: Instant): ListedSession {
  const session = toSession(record);
  const { endedAt, lastAt } = session;
  const state = endedAt !== null ? 'ended' : now - lastAt > IDLE_MS ? 'idle' : 'active';
  return { ...session, state };
}

/** The session that an agent calls so; null where nothing is known of it. */
export async function findSession(parts: EngineParts, caller: Caller, session: string): Promise<ListedSession | null> {
  authorize(caller, 'read', caller.space);
  const [record] = await parts.store.getRecords(caller.space, [sessionRecordId(session)], () => {});
  return record === undefined || record.deletedAt !== null ? null : describeSession(record, parts.clock.now());
}

/** One line of what happened, of whatever kind. */
export interface TimelineEntry {
  id: RecordId;
  kind: RecordKind;
  /** Of an observation. */
  number: number | null;
  at: Instant;
  type: string;
  title: string;
  project: string | null;
  agent: string | null;
  session: string | null;
  source: Source;
  trust: Trust;
}

export interface TimelineInput extends PeriodInput {
  /** Absent: every kind but those whose records are parts of others. */
  kinds?: readonly RecordKind[];
}

/** Everything that was stored, whatever it is, newest first. */
export async function getTimeline(
  parts: EngineParts,
  caller: Caller,
  { kinds = parts.kinds.names.filter((name) => !parts.kinds.parts.includes(name)), ...period }: TimelineInput,
): Promise<Page<TimelineEntry>> {
  const { items, ...page } = await listPeriod(parts, caller, { ...period, kinds });
  return { ...page, items: items.map((record) => toEntry(parts, record)) };
}

const TITLE_CHARS = 120;

function toEntry({ kinds }: { kinds: KindTable }, record: StoredRecord): TimelineEntry {
  const { id, kind, type, title, content, project, agent, session, source, trust, createdAt } = record;
  const [line = ''] = (title ?? content).trimStart().split('\n', 1);
  return {
    id,
    kind,
    number: kinds.find(kind)?.numberOf?.(record) ?? null,
    at: createdAt,
    type,
    title: line.slice(0, TITLE_CHARS).toWellFormed(),
    project,
    agent,
    session,
    source,
    trust,
  };
}

interface ListedPeriod extends PeriodInput {
  kinds: readonly RecordKind[];
  more?: { types?: readonly string[]; tags?: readonly string[] };
}

function listPeriod(
  parts: EngineParts,
  caller: Caller,
  { kinds, more, since, until, limit, cursor, project, session, agent }: ListedPeriod,
): Promise<Page<StoredRecord>> {
  return listRecords(parts, caller, {
    filter: { kinds, project, session, agent, ...more },
    after: since,
    before: until,
    page: { ...(limit !== undefined && { limit }), cursor },
  });
}

export interface FoundObservations {
  observations: Observation[];
  missing: string[];
  damaged?: string[];
}

/** By number or id, in the order asked for. */
export async function getObservations(
  parts: EngineParts,
  caller: Caller,
  refs: readonly string[],
): Promise<FoundObservations> {
  const { records, ...rest } = await getRecords(parts, caller, { kind: observationKind.name, refs });
  return { ...rest, observations: records.map(toObservation) };
}

export interface Surroundings {
  before: Observation[];
  target: Observation;
  after: Observation[];
}

export interface SurroundingsInput {
  ref: string;
  before: number;
  after: number;
}

/** What happened in the same session just before and after, by number. */
export async function getSurroundings(
  parts: EngineParts,
  caller: Caller,
  { ref, before, after }: SurroundingsInput,
): Promise<Surroundings> {
  const { records } = await getRecords(parts, caller, { kind: observationKind.name, refs: [ref] });
  const [record] = records;
  if (record === undefined) throw new EngineError('not_found', 'There is no such observation.', { details: { ref } });
  const asked = { ...caller, space: record.space, spaces: [record.space] };
  const target = toObservation(record);
  const look = { parts, caller: asked, target };
  return {
    target,
    before: (await findNear(look, 'before', before)).sort(byNumber),
    after: (await findNear(look, 'after', after)).sort(byNumber),
  };
}

interface Look {
  parts: EngineParts;
  caller: Caller;
  target: Observation;
}

const FIRST_WINDOW_MS = 60_000;
const WINDOW_GROWTH = 8;
const PAGE = 200;

/** A session may be long, and a listing goes from the newest on: time is looked at in steps that grow, away from the target. */
async function findNear(look: Look, side: 'before' | 'after', wanted: number): Promise<Observation[]> {
  const { target, parts } = look;
  const found: Observation[] = [];
  const session = wanted === 0 ? null : await findSession(parts, look.caller, target.session);
  const [least, most] = [session?.startedAt ?? 0, Math.max(parts.clock.now(), session?.lastAt ?? 0)];
  let reach = 0;
  for (let window = FIRST_WINDOW_MS; found.length < wanted; window *= WINDOW_GROWTH) {
    const [near, far] = [reach, reach + window];
    const span =
      side === 'before'
        ? { after: target.at - far + 1, before: target.at - near + 1 }
        : { after: target.at + near, before: target.at + far };
    found.push(...(await listSpan(look, span)).filter(({ number }) => isBeyond(side, number, target.number)));
    reach = far;
    if (side === 'before' ? target.at - far < least : target.at + far > most) break;
  }
  found.sort((a, b) => Math.abs(a.number - target.number) - Math.abs(b.number - target.number));
  return found.slice(0, wanted);
}

function isBeyond(side: 'before' | 'after', number: number, target: number): boolean {
  return side === 'before' ? number < target : number > target;
}

async function listSpan({ parts, caller, target }: Look, span: { after: Instant; before: Instant }) {
  const filter = { kinds: [observationKind.name], session: target.session, ...span };
  const all: Observation[] = [];
  for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
    const page: Page<StoredRecord> = await listRecords(parts, caller, { filter, page: { limit: PAGE, cursor } });
    all.push(...page.items.map(toObservation));
    cursor = page.cursor;
  }
  return all;
}

function byNumber(a: Observation, b: Observation): number {
  return a.number - b.number;
}

/** How often each concept was met, the most frequent first. */
export async function countConcepts(
  { store, kinds }: { store: Records; kinds: KindTable },
  caller: Caller,
): Promise<{ value: string; count: number }[]> {
  const others = kinds.names.filter((name) => name !== observationKind.name);
  const counts = new Map<string, number>();
  for (const space of spacesOf(caller)) {
    authorize(caller, 'read', space);
    for (const { value, count } of await store.countLabels(space, 'tag', others))
      counts.set(value, (counts.get(value) ?? 0) + count);
  }
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);
}

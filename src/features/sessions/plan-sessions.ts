import type { EngineParts } from '../../engine/engine-parts.ts';
import { createSearchableMaker } from '../../engine/records/make-searchable.ts';
import { originOf } from '../../engine/records/origin.ts';
import { openRedactor } from '../../engine/records/redact-content.ts';
import { makeContent } from '../../engine/records/store-record.ts';
import { findInTurns, findStated, type SpaceRejections } from '../../engine/rejections/space-rejections.ts';
import type { Caller } from '../../model/caller.ts';
import type { Change } from '../../model/change.ts';
import { cutText } from '../../model/cut-text.ts';
import type { RecordId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import { lowestTrust, type RecordContent, type StoredRecord } from '../../model/record.ts';
import type { SessionEvent, SessionEventName } from '../../model/session-event.ts';
import { firstLine } from '../../search/text/make-snippet.ts';
import { digestSession } from './digest-session.ts';
import {
  type AgentSession,
  NO_COUNTS,
  type Observation,
  type SessionCounts,
  type SessionDigest,
  toObservation,
  toSession,
} from './observation.ts';
import { sessionRecordId } from './observation-kind.ts';
import { type NewObservation, readEarlier } from './read-earlier.ts';
import { sessionKind } from './session-kind.ts';

const TITLE_CHARS = 120;
const FIRST_PROMPT_CHARS = 500;
/** Of a long session the end says what it came to. */
const DIGESTED = 400;
/** After these its record is written anew; it is not with each tool. */
const REWRITING: readonly SessionEventName[] = ['start', 'turn', 'compact', 'end'];

interface Happened {
  observations: readonly NewObservation[];
  events: readonly SessionEvent[];
  /** Records of sessions that were purged, and are not made again of an event that says nothing. */
  buried: ReadonlySet<RecordId>;
}

export interface SessionPlan {
  changes: Change[];
  /** Events without an observation that the records of sessions now tell of. */
  told: number;
}

/** The records of the sessions that these events belong to, where they have to be written. One that was deleted stays deleted. */
export async function planSessions(
  parts: EngineParts,
  caller: Caller,
  { observations, events, buried }: Happened,
): Promise<SessionPlan> {
  const plan: SessionPlan = { changes: [], told: 0 };
  const bySession = Map.groupBy(events, ({ session }) => session);
  const ids = [...bySession.keys()].map(sessionRecordId);
  const records = new Map((await parts.store.getRecords(caller.space, ids)).map((record) => [record.id, record]));
  for (const [session, own] of bySession) {
    const known = records.get(sessionRecordId(session));
    if ((known !== undefined && known.deletedAt !== null) || buried.has(sessionRecordId(session))) continue;
    const fresh = observations.filter(({ event }) => event.session === session);
    const news = own.filter((event) => isNews(event, known));
    const hasPrompt = known !== undefined && toSession(known).firstPrompt !== '';
    const isFirstPrompt = !hasPrompt && own.some(({ event }) => event === 'prompt');
    const isDue = known === undefined || isFirstPrompt || news.some(({ event }) => REWRITING.includes(event));
    if (!isDue || (news.length === 0 && fresh.length === 0)) continue;
    const change = await planSession(parts, caller, { session, known, events: own, fresh });
    plan.changes.push(change);
    plan.told += news.filter((event) => !fresh.some((one) => one.event === event)).length;
  }
  return plan;
}

/** Not what its record says already, when it is delivered again. */
function isNews({ event, at }: SessionEvent, known: StoredRecord | undefined): boolean {
  if (known === undefined) return true;
  const { startedAt, lastAt, endedAt } = toSession(known);
  if (event === 'start') return at < startedAt || at > lastAt || (endedAt !== null && at > endedAt);
  if (event === 'end') return endedAt === null ? at >= lastAt : at > endedAt;
  return at > lastAt;
}

/** After some of what happened in it was deleted: nothing of that may live on in its record. */
export async function planSessionAnew(parts: EngineParts, caller: Caller, known: StoredRecord): Promise<Change> {
  return planSession(parts, caller, { session: toSession(known).session, known, events: [], fresh: [] });
}

interface OneSession {
  session: string;
  known: StoredRecord | undefined;
  events: readonly SessionEvent[];
  fresh: readonly NewObservation[];
}

async function planSession(
  parts: EngineParts,
  caller: Caller,
  { session, known, events, fresh }: OneSession,
): Promise<Change> {
  const { space } = caller;
  const before = known === undefined ? null : toSession(known);
  const { agent, project } = known ?? events[0]!;
  const added = fresh.map(({ id, content }) =>
    toObservation({ ...content, space, id, revision: 1, deletedAt: null, generation: 1, dot: '' }),
  );
  const earlier = await readEarlier(parts, space, session, DIGESTED);
  const observations = [...earlier, ...added].sort((a, b) => a.number - b.number);
  const isAnew = events.length === 0;
  const prompt = observations.find(({ type }) => type === 'prompt')?.text ?? '';
  const firstPrompt = isAnew ? prompt : before?.firstPrompt || prompt;
  const times = timesOf(before, events);
  const isToldOf = (await findInTurns(parts.rejections, space, { text: firstPrompt, from: null })) === null;
  const rejections = await parts.rejections.fresh(space);
  const { source, trust } = originOf(caller, caller.host);
  const body: JsonObject = {
    ...times,
    agent,
    directory: before?.directory ?? last(events, ({ directory }) => directory) ?? null,
    transcript: last(events, ({ transcript }) => transcript) ?? before?.transcript ?? null,
    firstPrompt: isToldOf ? cutText(firstPrompt, FIRST_PROMPT_CHARS) : '',
    counted: observations.at(-1)?.number ?? 0,
    counts: { ...countMore(known, before, observations) },
    digest: toJson(withoutRejected(rejections, digestSession(observations))),
  };
  const drafted = makeContent(sessionKind, parts.clock.now(), {
    key: session,
    session,
    agent,
    project: project ?? null,
    createdAt: Math.min(Number(times.startedAt), parts.clock.now()),
    source,
    trust: lowestTrust(trust, 'agent'),
    title: (isToldOf && firstLine(firstPrompt, TITLE_CHARS)) || `Session of ${agent}`,
    body,
  });
  const { content } = (await openRedactor(parts, caller)).content(drafted);
  const [made] = await createSearchableMaker(parts)([content]);
  const { passages, vectors } = made!;
  const put = {
    op: 'put',
    id: sessionRecordId(session),
    content: keepOrigin(content, known),
    passages,
    vectors,
  } as const;
  // One that was purged begins anew with what happens from now on.
  const expect = known?.revision ?? (fresh.length > 0 ? 'new' : 'never');
  return { ...put, expect, unlessDuplicate: false, isDerived: true };
}

function toJson({ asked, done, decided, failed, open, next }: SessionDigest): JsonObject {
  return { asked, done: [...done], decided: [...decided], failed: [...failed], open: [...open], next };
}

/** A line that says what was rejected is left out. */
function withoutRejected(state: SpaceRejections, digest: SessionDigest): SessionDigest {
  const isKept = (text: string): boolean => findStated(state, text, null) === null;
  const { asked, done, decided, failed, open, next } = digest;
  return {
    asked: isKept(asked) ? asked : '',
    done: done.filter(isKept),
    decided: decided.filter(isKept),
    failed: failed.filter(isKept),
    open: open.filter(isKept),
    next: isKept(next) ? next : '',
  };
}

function keepOrigin(content: RecordContent, known: StoredRecord | undefined): RecordContent {
  if (known === undefined) return content;
  return { ...content, source: known.source, trust: lowestTrust(known.trust, content.trust) };
}

/** An end holds until something happens after it. */
function timesOf(before: AgentSession | null, events: readonly SessionEvent[]) {
  const times = events.map(({ at }) => at);
  const startedAt = Math.min(before?.startedAt ?? Infinity, ...times);
  const lastAt = Math.max(before?.lastAt ?? 0, ...times);
  const ends = events.filter(({ event }) => event === 'end').map(({ at }) => at);
  const endedAt = Math.max(before?.endedAt ?? 0, ...ends);
  return { startedAt, lastAt, endedAt: endedAt > 0 && endedAt >= lastAt ? endedAt : null };
}

/** Those of before, and what has come since: the record says up to which number it has counted. */
function countMore(
  known: StoredRecord | undefined,
  before: AgentSession | null,
  observations: readonly Observation[],
): SessionCounts {
  const counted = Number(known?.body.counted ?? 0);
  const counts = { ...(before?.counts ?? NO_COUNTS) };
  for (const { number, type, tool, failed } of observations) {
    if (number <= counted) continue;
    counts.observations++;
    if (type === 'prompt') counts.prompts++;
    if (tool !== null) counts.tools++;
    if (failed) counts.failures++;
  }
  return counts;
}

function last<T>(events: readonly SessionEvent[], read: (event: SessionEvent) => T | null | undefined): T | undefined {
  return events.map(read).findLast((value) => value !== null && value !== undefined) ?? undefined;
}

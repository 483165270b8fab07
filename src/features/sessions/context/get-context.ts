import { authorize } from '../../../engine/authorize.ts';
import type { EngineParts } from '../../../engine/engine-parts.ts';
import type { EngineSettings } from '../../../engine/engine-settings.ts';
import type { Note } from '../../../engine/records/kind.ts';
import { screenOutgoing } from '../../../engine/records/screen-outgoing.ts';
import type { Search } from '../../../engine/searches/search-parts.ts';
import type { Caller } from '../../../model/caller.ts';
import { EngineError } from '../../../model/errors.ts';
import type { RecordFilter } from '../../../model/filter.ts';
import { cleanName } from '../../../model/hidden-characters.ts';
import type { RecordId, SpaceId } from '../../../model/ids.ts';
import type { StoredRecord } from '../../../model/record.ts';
import type { Hit } from '../../../model/search.ts';
import { isHighRisk } from '../../../privacy/high-risk.ts';
import { memoryKind } from '../../memories/memory-kind.ts';
import { isRatedBad } from '../../quality/score-quality.ts';
import { observationKind, sessionRecordId } from '../observation-kind.ts';
import type { ContextReason, ContextRequest, SessionContext } from '../session-context.ts';
import { sessionKind } from '../session-kind.ts';
import { composeBlock } from './compose-block.ts';
import type { ContextLine } from './context-line.ts';
import { makeFoundLines, STANDING_TYPES } from './found-lines.ts';
import { type Given, markLine, NOTHING_GIVEN, readGiven, rememberGiven } from './given-lines.ts';
import { listSessionLines } from './session-lines.ts';
import { keepStanding } from './standing-lines.ts';
import { isSameTopic, isVague, markTopic, readTopic } from './topic.ts';

/** Beyond this a block is no help but a burden. */
const MOST_TOKENS = 8_000;
const MOST_ENTRIES = 50;
const SESSIONS = 5;
const FOUND = 20;
const RULES = 12;
const RECENT = 8;
const PROMPTS_BEFORE = 3;
/** Where no hit is to be relied on, so many that are at least as likely as this may be a help. */
const MOST_NEAR = 2;
const NEAR_FROM = 0.1;

/** What an agent should know at the start of a session, or when its person turns to something else. Never throws for what the store does, nor takes longer than it may. */
export async function getContext(parts: EngineParts, caller: Caller, given: ContextRequest): Promise<SessionContext> {
  authorize(caller, 'read', caller.space);
  const { settings, log } = parts;
  const request = { ...given, ...(given.project != null && { project: cleanName(given.project) }) };
  const timeoutMs = request.timeoutMs ?? settings.contextTimeoutMs;
  const budget = {
    maxTokens: Math.min(request.maxTokens ?? settings.contextMaxTokens, MOST_TOKENS),
    maxEntries: Math.min(request.maxEntries ?? settings.contextMaxEntries, MOST_ENTRIES),
  };
  if (settings.contextMaxTokens === 0 || settings.contextMaxEntries === 0) return none('disabled');
  if (timeoutMs <= 0) return none('timeout');
  const until = performance.now() + timeoutMs;
  const isLate = () => performance.now() >= until;
  const asking: Asking = { parts, search: parts.search, caller, request, budget, isLate };
  const { promise: late, resolve } = Promise.withResolvers<SessionContext>();
  const timer = setTimeout(() => resolve(none('timeout')), timeoutMs);
  const work = choose(asking).catch((error: unknown) => {
    log.warn('context_failed', {
      code: error instanceof EngineError ? error.code : 'internal',
      message: String(error),
    });
    return none('error');
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

interface Asking {
  parts: EngineParts;
  search: Search;
  caller: Caller;
  request: ContextRequest;
  budget: { maxTokens: number; maxEntries: number };
  isLate: () => boolean;
}

function none(reason: ContextReason, withheld = 0): SessionContext {
  return { context: null, reason, entries: [], tokens: 0, withheld };
}

async function choose(asking: Asking): Promise<SessionContext> {
  const { parts, caller, request } = asking;
  const { session, prompt = '' } = request;
  const given = session === undefined ? NOTHING_GIVEN : await readGiven(parts, caller, session);
  const topic = readTopic(prompt);
  if (prompt.trim() !== '' && session !== undefined) {
    const before = [
      ...given.topics.filter((one) => one.length > 0).slice(-PROMPTS_BEFORE),
      ...(await readPrompts(asking)),
    ];
    if (isSameTopic(markTopic(topic), before)) return none('same_topic');
  }
  const found = isVague(topic) ? [] : await findLines(asking, topic);
  const standing = given.times === 0 ? await listStanding(asking) : [];
  const fresh = withoutRepeats(await keepStanding(parts, caller, arrangeLines(found, standing)), given);
  const screening = createLineScreen(parts.settings);
  const block = composeBlock(fresh, asking.budget, { ...request, screen: screening.screen });
  const withheld = screening.withheld();
  if (block === null) return none(withheld > 0 ? 'quarantined' : 'empty', withheld);
  if (asking.isLate()) return none('timeout');
  const { context, entries, tokens } = block;
  if (session !== undefined && request.preview !== true && mayRemember(caller)) {
    const marks = block.lines.map(({ said }) => markLine(said));
    if (!(await rememberGiven(parts, caller, { session, times: given.times, marks, topic: markTopic(topic) })))
      return asking.isLate() ? none('timeout') : choose(asking);
  }
  const isFound = block.lines.some((line) => found.some(({ text }) => text === line.text));
  return { context, reason: isFound ? 'search' : 'recency', entries, tokens, withheld };
}

function mayRemember({ scopes, roles, space }: Caller): boolean {
  return scopes.has('write') && roles.get(space) !== 'reader';
}

/** What the last prompts of the session were about, as far as they have arrived; the one that is asked for now may be among them. */
async function readPrompts({ parts, caller, request: { session, prompt = '' } }: Asking): Promise<string[][]> {
  const filter = { kinds: [observationKind.name], types: ['prompt'], session };
  const page = { limit: PROMPTS_BEFORE + 1, total: false };
  const { items } = await parts.store.listRecords(caller.space, filter, page, () => {});
  const texts = items.map(({ body }) => String(body.text ?? ''));
  const now = texts.findIndex((text) => text.trim() === prompt.trim());
  return texts
    .filter((_text, i) => i !== now)
    .slice(0, PROMPTS_BEFORE)
    .map((text) => markTopic(readTopic(text)));
}

/** What the one search finds for the prompt: in the project, and among what belongs to none. */
async function findLines(asking: Asking, topic: readonly string[]): Promise<ContextLine[]> {
  const { parts, request } = asking;
  const query = { query: request.prompt!.slice(0, 4_000), limit: FOUND, relevantOnly: true };
  const kinds = [...new Set([...parts.kinds.usual, observationKind.name])];
  const own = await findRecords(asking, { ...query, filter: filterFor(request, { kinds }) });
  const others =
    request.project == null
      ? []
      : (await findRecords(asking, { ...query, filter: filterFor({}, { kinds }) })).filter(
          ({ record }) => record.project === null,
        );
  const all = [...own, ...others].sort((a, b) => b.hit.confidence - a.hit.confidence);
  const sessions = await readSessions(asking, all);
  return all.flatMap((found) => makeFoundLines(parts, { ...found, topic, sessions }));
}

/** The sessions that what was found happened in. */
async function readSessions({ parts, caller }: Asking, found: readonly Found[]): Promise<Map<string, StoredRecord>> {
  const names = [...new Set(found.flatMap(({ record }) => (record.session === null ? [] : [record.session])))];
  const records = await parts.store.getRecords(caller.space, names.map(sessionRecordId), () => {});
  const isUsable = ({ deletedAt, trust }: StoredRecord) => deletedAt === null && trust !== 'untrusted';
  return new Map(records.filter(isUsable).map((record) => [record.session ?? '', record]));
}

/** What holds in every session, what the last ones left, and what was done last. */
async function listStanding(asking: Asking): Promise<ContextLine[]> {
  const { parts, request } = asking;
  const list = async (filter: RecordFilter, limit: number) =>
    findRecords(asking, { filter: filterFor(request, filter), limit });
  const rules = (await findRecords(asking, { filter: filterFor({}, { types: STANDING_TYPES }), limit: RULES })).filter(
    ({ record }) => record.project === null || record.project === (request.project ?? null),
  );
  const sessions = await list({ kinds: [sessionKind.name] }, SESSIONS + 1);
  const decisions = await list({ types: ['decision'] }, SESSIONS);
  const recent = await list({ kinds: [observationKind.name], types: ['bugfix', 'feature', 'decision'] }, RECENT);
  const lines = (found: Found) => makeFoundLines(parts, { ...found, topic: [], sessions: new Map() });
  return [
    ...rules.flatMap(lines),
    ...listSessionLines(sessions.map(({ record }) => record)),
    ...decisions.flatMap(lines),
    ...recent.flatMap(lines),
  ];
}

function filterFor({ project }: Pick<ContextRequest, 'project'>, filter: RecordFilter): RecordFilter {
  return { ...filter, minTrust: 'agent', ...(project != null && { project }) };
}

interface Found {
  hit: Hit;
  record: StoredRecord;
}

/**
 * Live, valid, believed records that nobody rated bad, whose sources still say so, and that are not of the session itself, which knows them. Of a search that is
 * sure of nothing, the nearest few.
 */
async function findRecords({ parts, search, caller, request }: Asking, query: Parameters<Search>[1]): Promise<Found[]> {
  const { hits, verdict } = await search(caller, query);
  const near =
    verdict === 'nothing' ? hits.filter(({ confidence }) => confidence >= NEAR_FROM).slice(0, MOST_NEAR) : hits;
  const found: Found[] = [];
  for (const [space, own] of Map.groupBy(near, (hit) => hit.space)) {
    const records = await parts.store.getRecords(
      space,
      own.map(({ id }) => id),
      () => {},
    );
    const byId = new Map(records.map((record) => [record.id, record]));
    const memories = records.filter(({ kind }) => kind === memoryKind.name);
    const outdated = await findOutdated(parts, space, memories);
    for (const hit of own) {
      const record = byId.get(hit.id);
      if (record === undefined || isRatedBad(record) || outdated.has(record.id)) continue;
      if (request.session === undefined || record.session !== request.session) found.push({ hit, record });
    }
  }
  const order = new Map(hits.map((hit, i) => [hit.id, i]));
  return found.sort((a, b) => order.get(a.hit.id)! - order.get(b.hit.id)!);
}

async function findOutdated(
  { store, clock, outdated }: Pick<EngineParts, 'store' | 'clock' | 'outdated'>,
  space: SpaceId,
  records: readonly StoredRecord[],
): Promise<ReadonlySet<RecordId>> {
  const found = new Set<RecordId>();
  if (records.length === 0) return found;
  for (const load of outdated) {
    const find = await load();
    for (const id of await find(store, space, { records, at: clock.now() })) found.add(id);
  }
  return found;
}

/** Neither what the session was given already, nor what another line says too. */
function withoutRepeats(lines: readonly ContextLine[], { marks }: Given): ContextLine[] {
  const chosen: string[] = [];
  return lines.filter(({ said }) => {
    const words = said.toLowerCase();
    if (said === '' || marks.has(markLine(said))) return false;
    if (chosen.some((one) => one.includes(words) || words.includes(one))) return false;
    chosen.push(words);
    return true;
  });
}

/** What every session is given before anything else: the next step, and how the person wants things done. */
const RESERVED: readonly (readonly [Note['about'], number])[] = [
  ['next', 1],
  ['rule', 2],
];
/** Which sorts may take how many places before the others have had theirs, where no prompt says what it is about. */
const PLACES: readonly (readonly [Note['about'], number])[] = [
  ['open', 2],
  ['failed', 1],
  ['decided', 3],
  ['other', 1],
];

/** Best first: what is always given, what was found for the prompt, and what the last sessions left, of every sort something. */
function arrangeLines(found: readonly ContextLine[], standing: readonly ContextLine[]): ContextLine[] {
  return [...new Set([...pick(standing, RESERVED), ...found, ...pick(standing, PLACES), ...standing])];
}

function pick(lines: readonly ContextLine[], places: typeof PLACES): ContextLine[] {
  return places.flatMap(([about, count]) => lines.filter((line) => line.about === about).slice(0, count));
}

interface LineScreen {
  /** The text as it may be given to a model; null: the line is withheld. */
  screen(line: ContextLine): string | null;
  withheld(): number;
}

/** Secrets are replaced once more, line by line as they are needed; one made from what no screening may let pass is withheld as a whole. */
function createLineScreen(settings: EngineSettings): LineScreen {
  let withheld = 0;
  return {
    screen({ source, text }) {
      const screened = isHighRisk(source) ? null : screenOutgoing(text, settings);
      if (screened === null) withheld++;
      return screened;
    },
    withheld: () => withheld,
  };
}

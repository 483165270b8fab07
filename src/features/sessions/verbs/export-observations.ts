import { cleanText, unifyLineBreaks } from '../../../model/hidden-characters.ts';
import { toIso } from '../../../model/instant.ts';
import type { Page } from '../../../model/page.ts';
import { VERSION } from '../../../model/version.ts';
import { describeSource } from '../../../verbs/describe-origin.ts';
import { choice, flag, integer, label } from '../../../verbs/field.ts';
import { defineVerb, type VerbContext } from '../../../verbs/verb.ts';
import type { AgentSession, Observation } from '../observation.ts';
import { nameTool, toObservationRow, toSessionRow } from './observation-rows.ts';

export const EXPORT_FORMATS = ['json', 'markdown'] as const;
export const MAX_EXPORT_DAYS = 365;
/** Begins the line that follows what came from outside. */
export const UNTRUSTED_LINE = '**Trust:** untrusted';

export interface ExportInput {
  project?: string;
  days?: number;
  format?: (typeof EXPORT_FORMATS)[number];
  includeRaw?: boolean;
}

const DAY = 86_400_000;
const PAGE = 500;
const MOST_CONCEPTS = 100;
const MINUTE = 60_000;
/** The tag of memories that were made of files which agents read as instructions. */
export const ECOSYSTEM = 'ecosystem';

/** One JSON document, or Markdown, line by line, however much there is of it. */
export const exportObservations = defineVerb<ExportInput, AsyncIterable<string>>({
  needs: 'read',
  input: {
    project: label('Only this project.'),
    days: integer(1, MAX_EXPORT_DAYS, `Only the last so many days, 1 to ${MAX_EXPORT_DAYS}. Default: all.`),
    format: choice(EXPORT_FORMATS, 'json (default) or markdown.'),
    include_raw: flag('With inputs and outputs of tools.'),
  },
  run: async (context, input) =>
    input.format === 'markdown' ? writeMarkdown(context, input) : writeJson(context, input),
  rest: {
    at: 'GET /observations/export',
    summary: 'Export sessions and what happened in them, as JSON or Markdown',
    example: { path: '/observations/export?project=web&days=30&format=markdown' },
    answers: { 200: 'The document, line by line.' },
    streams: 'out',
  },
});

interface Scope {
  project?: string;
  since?: string;
}

function scopeOf({ now }: VerbContext, { project, days }: ExportInput): Scope {
  return { project, since: days === undefined ? undefined : toIso(now - days * DAY) };
}

async function* writeJson(context: VerbContext, input: ExportInput): AsyncGenerator<string> {
  const { engine, caller, now } = context;
  const { project = null, days = null, includeRaw = false } = input;
  const scope = scopeOf(context, input);
  const options = { project, days, format: 'json', includeRaw };
  yield `{"exported_at":${JSON.stringify(toIso(now))},"version":${JSON.stringify(VERSION)},"options":${JSON.stringify(options)},`;
  yield '"sessions":[';
  yield* eachJson(
    allOf((at) => engine.listSessions(caller, { ...scope, ...at })),
    toSessionRow,
  );
  yield '],"observations":[';
  yield* eachJson(
    allOf((at) => engine.listObservations(caller, { ...scope, ...at })),
    (observation) => toObservationRow(observation, { isRaw: includeRaw }),
  );
  yield '],"userObservations":[';
  const filter = { tags: [ECOSYSTEM], project: scope.project };
  yield* eachJson(
    allOf((at) => engine.listMemories(caller, { filter, after: scope.since, page: at })),
    ({ id, content, metadata, createdAt, updatedAt }) => ({
      id,
      observation_type: 'ecosystem',
      content,
      metadata,
      created_at: toIso(createdAt),
      updated_at: toIso(updatedAt),
    }),
  );
  const concepts = (await engine.countConcepts(caller)).slice(0, MOST_CONCEPTS);
  yield `],"concepts":${JSON.stringify(concepts.map(({ value, count }) => ({ name: value, frequency: count })))}}`;
}

async function* eachJson<T>(items: AsyncIterable<T>, describe: (item: T) => object): AsyncGenerator<string> {
  let before = '';
  for await (const item of items) {
    yield before + JSON.stringify(describe(item));
    before = ',';
  }
}

async function* allOf<T>(list: (at: { limit: number; cursor?: string }) => Promise<Page<T>>): AsyncGenerator<T> {
  let cursor: string | null = null;
  do {
    const page: Page<T> = await list({ limit: PAGE, ...(cursor !== null && { cursor }) });
    yield* page.items;
    cursor = page.cursor;
  } while (cursor !== null);
}

async function* writeMarkdown(context: VerbContext, input: ExportInput): AsyncGenerator<string> {
  const { engine, caller, now } = context;
  const { project, days, includeRaw = false } = input;
  const scope = scopeOf(context, input);
  const [sessions, observations] = [
    await engine.listSessions(caller, { ...scope, limit: 1 }),
    await engine.listObservations(caller, { ...scope, limit: 1 }),
  ];
  const window = days === undefined ? '' : `, last ${days} ${days === 1 ? 'day' : 'days'}`;
  yield `# Memory export: ${oneLine(project ?? 'all projects')}${window}`;
  yield '';
  yield `**Exported:** ${toIso(now)}`;
  yield `**Sessions:** ${sessions.total}`;
  yield `**Observations:** ${observations.total}`;
  yield '';
  yield '---';
  for await (const session of allOf((at) => engine.listSessions(caller, { ...scope, ...at })))
    yield* writeSession(context, session, { scope, includeRaw });
}

async function* writeSession(
  { engine, caller }: VerbContext,
  session: AgentSession,
  { scope, includeRaw }: { scope: Scope; includeRaw: boolean },
): AsyncGenerator<string> {
  const own: Observation[] = [];
  const wanted = { ...scope, session: session.session };
  for await (const one of allOf((at) => engine.listObservations(caller, { ...wanted, ...at }))) own.push(one);
  const { startedAt, lastAt, firstPrompt, project, title } = session;
  const files = [...new Set(own.flatMap((observation) => observation.files))];
  yield '';
  yield `## Session: ${oneLine(project ?? 'no project')}`;
  yield `**Date:** ${toIso(startedAt)}`;
  yield `**Duration:** ${Math.round((lastAt - startedAt) / MINUTE)} min`;
  yield `**Prompt:** ${oneLine(firstPrompt || title)}`;
  if (files.length > 0) yield `**Files touched:** ${oneLine(files.join(', '))}`;
  for (const observation of own.sort((a, b) => a.number - b.number)) {
    yield '';
    yield `### ${oneLine(nameTool(observation))}`;
    yield `**Time:** ${toIso(observation.at)}`;
    yield `**Summary:** ${oneLine(observation.summary)}`;
    if (observation.trust === 'untrusted')
      yield `${UNTRUSTED_LINE}, ${describeSource(observation.source, caller.userId)}`;
    if (observation.files.length > 0) yield `**Files:** ${oneLine(observation.files.join(', '))}`;
    if (includeRaw && observation.input !== '') yield* quoted('Input', observation.input);
    if (includeRaw && observation.output + observation.text !== '')
      yield* quoted('Output', observation.output || observation.text);
  }
}

function oneLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}

/** Every line of it is marked, so that none can pass for one of ours. */
function* quoted(name: string, text: string): Generator<string> {
  yield `**${name}:**`;
  yield '';
  for (const line of unifyLineBreaks(text).split('\n')) yield `> ${line}`;
}

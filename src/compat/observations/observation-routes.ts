import { isOperator } from '../../engine/authorize.ts';
import { describeOutput } from '../../features/sessions/capture/describe-output.ts';
import type { Observation } from '../../features/sessions/observation.ts';
import { observationId, sessionRecordId } from '../../features/sessions/observation-kind.ts';
import { countObserved } from '../../features/sessions/verbs/count-observed.ts';
import { toObservationRow } from '../../features/sessions/verbs/observation-rows.ts';
import { EngineError } from '../../model/errors.ts';
import { cleanName } from '../../model/hidden-characters.ts';
import { dayOf } from '../../model/instant.ts';
import type { JsonObject } from '../../model/json.ts';
import { isObject } from '../../model/json-text.ts';
import { isPromptNumber } from '../../model/session-event.ts';
import { VERSION } from '../../model/version.ts';
import type { Method, VerbContext } from '../../verbs/verb.ts';
import { filesOf, summaryOf, toolOf } from './describe-observation.ts';
import { exportDocument } from './export-document.ts';
import { ingestFiles } from './ingest-files.ts';
import type { Screened, Sent } from './observe-event.ts';
import { readNumber } from './read-numbers.ts';
import { searchAs } from './search-as.ts';

/** What the endpoints know besides engine and caller. */
export interface ObservationPorts {
  screen(sent: Sent, now: number): Screened;
  /** What `/health` says, but for what waits. */
  vitals(): Record<string, unknown>;
  /** The port that the server is reached at. */
  port(): number;
  /** Ends the server in good order. */
  shutDown(): void;
}

export interface ObservationCall extends VerbContext {
  ports: ObservationPorts;
  query: URLSearchParams;
  params: Readonly<Record<string, string>>;
  body: Record<string, unknown>;
}

export interface ObservationRoute {
  at: `${Method} /${string}`;
  handle(call: ObservationCall): Promise<object>;
}

const DEFAULT_SESSION = 'default';
const DEFAULT_AGENT = 'longmem';
const MOST_IDS = 50;
const MOST_AROUND = 100;

function bad(message: string): EngineError {
  return new EngineError('invalid_input', message);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? cleanName(value) || undefined : undefined;
}

function sentOf({ body }: ObservationCall, event: Sent['event']): Sent {
  return {
    event,
    session: textOf(body.session_id) ?? DEFAULT_SESSION,
    project: textOf(body.project) ?? null,
    directory: textOf(body.directory) ?? null,
    agent: textOf(body.agent) ?? DEFAULT_AGENT,
    useId: textOf(body.tool_use_id) ?? null,
  };
}

async function record(
  { engine, caller, ports, now }: ObservationCall,
  sent: Sent,
): Promise<{ leftOut: string } | { observation: Observation | undefined; isDenied: boolean }> {
  const screened = ports.screen(sent, now);
  if ('leftOut' in screened) return screened;
  const { refused } = await engine.recordEvents(caller, [screened.event], screened.screened);
  if (refused[0] !== undefined) throw bad(`The event ${refused[0].reason}.`);
  const { observations } = await engine.getObservations(caller, [observationId(screened.event.key)]);
  return { observation: observations[0], isDenied: screened.isDenied };
}

const REASONS: Readonly<Record<string, string>> = { 'own-tool': 'tool_excluded', 'excluded-tool': 'tool_excluded' };

async function observe(call: ObservationCall): Promise<object> {
  const { body } = call;
  const input = isObject(body.tool_input)
    ? (body.tool_input as JsonObject)
    : { input: describeOutput(body.tool_input) };
  const name = textOf(body.tool_name) ?? 'unknown';
  const tool = { name, input: body.tool_input === undefined ? {} : input, response: body.tool_output ?? '' };
  const { prompt_number: prompt } = body;
  const sent = { ...sentOf(call, 'tool'), tool };
  const done = await record(call, isPromptNumber(prompt) ? { ...sent, prompt } : sent);
  if ('leftOut' in done) return { status: 'excluded', reason: REASONS[done.leftOut] ?? done.leftOut };
  const observation_id = done.observation?.number ?? null;
  return done.isDenied
    ? { status: 'excluded', observation_id, reason: 'path_denylist' }
    : { status: 'ok', observation_id };
}

async function prompt(call: ObservationCall): Promise<object> {
  const { body, engine, caller } = call;
  const text = typeof body.text === 'string' ? body.text : '';
  const sent = { ...sentOf(call, 'prompt'), text };
  if (text.trim() === '') return { status: 'skipped' };
  const context =
    body.with_context === true
      ? await engine.getContext(caller, {
          project: sent.project,
          session: sent.session,
          prompt: text,
          event: 'prompt',
          tag: 'longmem-context',
        })
      : null;
  const done = await record(call, sent);
  const status = 'leftOut' in done ? 'skipped' : 'ok';
  if (context === null) return { status };
  const reason = context.reason === 'search' ? 'fts' : context.reason;
  return { status, context: context.context, autoinject: reason !== 'disabled', reason, entries: context.entries };
}

/** A start and an end say nothing but that, and are kept with the session itself. */
async function mark(call: ObservationCall, event: 'start' | 'end'): Promise<object> {
  if (textOf(call.body.session_id) === undefined) throw bad('session_id is required');
  const sent = sentOf(call, event);
  await record(call, sent);
  if (event === 'end') return { status: 'ok' };
  return { status: 'ok', db_id: sessionRecordId(sent.session) };
}

function readLimit(query: URLSearchParams, { usual, most }: { usual: number; most: number }): number {
  const given = readNumber(query.get('limit'));
  return given === undefined || given === 0 ? usual : Math.trunc(Math.min(most, Math.max(1, given)));
}

async function readObservations({ engine, caller, params }: ObservationCall): Promise<object> {
  const refs = (params.ids ?? '').split(',').map((one) => one.trim());
  const valid = [...new Set(refs.filter((one) => /^[1-9]\d{0,15}$/.test(one)))].slice(0, MOST_IDS);
  if (valid.length === 0) throw bad('No valid IDs provided');
  const { observations } = await engine.getObservations(caller, valid);
  return { observations: observations.map((one) => toObservationRow(one, { isRaw: true })) };
}

async function readTimeline({ engine, caller, params, query }: ObservationCall): Promise<object> {
  const id = params.id ?? '';
  if (!/^[1-9]\d{0,15}$/.test(id)) throw bad('Invalid observation ID');
  const reach = (name: string): number =>
    Math.trunc(Math.min(MOST_AROUND, Math.max(0, readNumber(query.get(name)) ?? 3)));
  const { before, target, after } = await engine.getSurroundings(caller, {
    ref: id,
    before: reach('before'),
    after: reach('after'),
  });
  const row = (one: Observation) => toObservationRow(one, { isRaw: true });
  return { before: before.map(row), target: row(target), after: after.map(row) };
}

async function readStatus({ engine, ports, caller }: ObservationCall): Promise<object> {
  const pending = await engine.countUnsummarized(caller);
  const own = isOperator(caller) ? { pid: process.pid } : {};
  return { ...ports.vitals(), pending, ...own, port: ports.port(), service_managed: false, version: VERSION };
}

async function readStats(call: ObservationCall): Promise<object> {
  const { sessions, observations, userObservations, concepts } = await countObserved.run(call, {});
  const pending = await call.engine.countUnsummarized(call.caller);
  return {
    totalSessions: sessions,
    totalObservations: observations,
    totalUserObservations: userObservations,
    totalConcepts: concepts,
    pendingCompressions: pending,
  };
}

async function shutDown({ caller, ports }: ObservationCall): Promise<object> {
  if (!isOperator(caller)) throw new EngineError('forbidden', 'Only the owner may stop the server.');
  ports.shutDown();
  return { status: 'shutting_down' };
}

async function readContext({ engine, caller, query }: ObservationCall): Promise<object> {
  const limit = readLimit(query, { usual: 10, most: 30 });
  const { items } = await engine.listObservations(caller, { project: textOf(query.get('project')), limit });
  const shown = items.filter(({ summary, trust }) => summary !== '' && trust !== 'untrusted');
  return { context: describeBullets(shown), count: shown.length };
}

/** The endpoints of the old observation server, but for `/health`, which is everybody's. */
export const OBSERVATION_ROUTES: readonly ObservationRoute[] = [
  { at: 'GET /status', handle: readStatus },
  { at: 'GET /stats', handle: readStats },
  { at: 'POST /shutdown', handle: shutDown },
  { at: 'POST /session/start', handle: (call) => mark(call, 'start') },
  { at: 'POST /session/end', handle: (call) => mark(call, 'end') },
  { at: 'POST /observe', handle: observe },
  { at: 'POST /prompt', handle: prompt },
  { at: 'GET /search', handle: (call) => searchAs(call, readLimit(call.query, { usual: 5, most: 100 })) },
  { at: 'GET /context', handle: readContext },
  { at: 'GET /observation/{ids}', handle: readObservations },
  { at: 'GET /timeline/{id}', handle: readTimeline },
  { at: 'POST /ecosystem/ingest', handle: (call) => ingestFiles(call, call.body.files) },
  { at: 'GET /export', handle: exportDocument },
];

/** Markdown, one line each. */
function describeBullets(observations: readonly Observation[]): string {
  return observations
    .map((one) => {
      const files = filesOf(one);
      return `- [${dayOf(one.at)}] ${toolOf(one)}: ${summaryOf(one)}${files === '' ? '' : ` [${files}]`}`;
    })
    .join('\n');
}

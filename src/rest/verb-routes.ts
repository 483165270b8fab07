import { z } from 'zod';
import { readLines } from '../model/read-lines.ts';
import { toWire } from '../model/wire.ts';
import type { Fields } from '../verbs/field.ts';
import { pickFields, schemaOf } from '../verbs/field-schema.ts';
import { readInput } from '../verbs/read-input.ts';
import { type AnyVerb, fieldsOf, type HostContext, type RestOffer, splitAt, writesOf } from '../verbs/verb.ts';
import type { Answers } from './answer-fields.ts';
import { RequestProblem } from './error-response.ts';
import { readLineChunks } from './read-body.ts';
import { readUpload } from './read-upload.ts';
import { API_PATH } from './rest-env.ts';
import type { Answer, Route, RouteCall } from './route.ts';

const JSON_LINES = ['application/x-ndjson', 'application/jsonl', 'application/json-lines'] as const;

const LINES = z.string();

/** The routes that offer a verb: one, or a second one that takes everything from the address. */
export function routesOf([verbName, verb]: readonly [string, AnyVerb], answers: Answers): Route[] {
  const { rest } = verb;
  if (rest === undefined) return [];
  const routes = [routeOf(verb, rest, { name: verbName, schema: answers[verbName] })];
  if (rest.byUrl !== undefined) {
    const { name, summary, rename, example } = rest.byUrl;
    const aliases = Object.fromEntries(Object.entries(rename).map(([alias, field]) => [field, alias]));
    routes.push({
      ...routes[0]!,
      method: 'GET',
      name,
      summary,
      example,
      body: undefined,
      query: schemaOf(renameKeys(verb.input, aliases), 'address'),
      handle: (call) => answerVerb(verb, rest, { ...call, query: renameKeys(call.query, rename) }),
    });
  }
  return routes;
}

function routeOf(
  verb: AnyVerb,
  rest: RestOffer<unknown>,
  { name, schema }: { name: string; schema: z.ZodType | undefined },
): Route {
  const { method, path } = splitAt(rest);
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, field]) => field!));
  const pathFields = pickFields(verb.input, (field) => inPath.has(field));
  const others = pickFields(verb.input, (field) => !inPath.has(field));
  const hasBody =
    method !== 'GET' && method !== 'DELETE' && rest.streams !== 'in' && rest.streams !== 'file' && !isEmpty(others);
  return {
    method,
    path,
    name,
    action: verb.needs,
    writes: writesOf(verb),
    group: verb.group ?? '',
    summary: rest.summary,
    ...(inPath.size > 0 && { params: schemaOf(pathFields) }),
    ...(hasBody ? { body: schemaOf(others) } : !isEmpty(others) && { query: schemaOf(others, 'address') }),
    ...(rest.streams === 'in' && { streamedBody: JSON_LINES }),
    ...(rest.isUpload && { isUpload: true }),
    ...(rest.streams === 'file' && { fileBody: true }),
    headers: [...Object.values(verb.inHeaders ?? {}).flatMap(({ header }) => header ?? []), ...(rest.headers ?? [])],
    example: rest.example,
    answers: answersOf(rest, schema),
    handle: (call) => answerVerb(verb, rest, call),
  };
}

function answersOf({ answers, streams }: RestOffer<unknown>, schema: z.ZodType | undefined): Route['answers'] {
  return Object.fromEntries(
    Object.entries(answers).map(([status, description]) => {
      const isPlain = Number(status) >= 300 || status === '204';
      if (isPlain) return [status, { description }];
      if (streams === 'out') return [status, { description, schema: LINES, contentType: JSON_LINES[0] }];
      return [status, { description, schema }];
    }),
  );
}

async function answerVerb(verb: AnyVerb, rest: RestOffer<unknown>, call: RouteCall): Promise<Answer> {
  const upload = rest.streams === 'file' ? await readUpload(call, schemaOf(verb.input, 'address')) : null;
  const sent = { ...call.query, ...upload?.fields, ...call.body, ...call.params, ...readHeaders(verb, call) };
  const input = readInput(fieldsOf(verb), sent);
  Object.assign(input, upload?.file);
  if (rest.streams === 'in')
    input.lines = readLines(readLineChunks(call.request, rest.isUpload ? call.maxUploadBytes : call.maxImportBytes));
  const out = await verb.run(contextOf(call), input as never);
  if (rest.streams === 'out') {
    const disposition = 'attachment; filename="ltm-export.jsonl"';
    const headers = { 'Content-Type': JSON_LINES[0], 'Content-Disposition': disposition, 'Accept-Encoding': 'zstd' };
    return { status: 200, lines: out as AsyncIterable<string>, headers };
  }
  const problem = rest.problem?.of(out);
  if (problem) {
    const { code, message, facts, ...options } = problem;
    throw new RequestProblem(code, message, { ...options, facts: toWire(facts ?? {}) as Record<string, unknown> });
  }
  return describeOutcome(rest, call, out);
}

function describeOutcome(rest: RestOffer<unknown>, call: RouteCall, out: unknown): Answer {
  const status = rest.statusOf?.(out) ?? Number(Object.keys(rest.answers)[0]);
  const revision = rest.revisionOf?.(out);
  const location = rest.locationOf?.(out);
  const headers: Record<string, string> = {};
  if (revision !== undefined) headers.ETag = `"${revision}"`;
  if (location !== undefined)
    headers[rest.at.startsWith('GET') ? 'Content-Location' : 'Location'] = `${API_PATH}${location}`;
  if (status === 204) return { status };
  // A key or hash can come to mean another record at the same revision; an id cannot.
  const isNamedById = location?.endsWith(`/${call.params.ref}`);
  if (rest.at.startsWith('GET') && isNamedById && matchesIfNoneMatch(call.header('If-None-Match'), headers.ETag ?? ''))
    return { status: 304, headers };
  const body = toWire(out);
  if (rest.isPaged !== true) return { status, body, headers };
  const next = nextPage(call, body as { cursor: string | null; total: number });
  if (next !== null) headers.Link = `<${next}>; rel="next"`;
  return { status, body: { ...(body as object), next }, headers };
}

/** Relative, so that it is right behind a proxy too. Whoever counts pages gets page numbers, everybody else a cursor. */
function nextPage(
  { request, query }: RouteCall,
  { cursor, total }: { cursor: string | null; total: number },
): string | null {
  const url = new URL(request.url);
  const [page, limit] = [query.page, query.limit ?? DEFAULT_LIMIT] as [number | undefined, number];
  if (page !== undefined) {
    if (page * limit >= total) return null;
    url.searchParams.set('page', String(page + 1));
  } else if (cursor === null) return null;
  else url.searchParams.set('cursor', cursor);
  return `${url.pathname}?${url.searchParams}`;
}

const DEFAULT_LIMIT = 20;

function readHeaders({ inHeaders = {} }: AnyVerb, call: RouteCall): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(inHeaders).map(([name, { header }]) => {
      const value = header === undefined ? undefined : call.header(header);
      return [name, header === 'If-Match' ? readIfMatch(value) : value];
    }),
  );
}

/** The revision that an If-Match header asks for; undefined where any will do. */
function readIfMatch(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const match = /^"(\d{1,15})"$/.exec(header.trim());
  if (match !== null && Number(match[1]) > 0) return Number(match[1]);
  throw new RequestProblem('invalid_input', 'The header If-Match is not an ETag of a memory.', {
    hint: 'Send the ETag unchanged, with its quotes: "3".',
    errors: [{ field: 'If-Match', message: 'must be one ETag or *' }],
  });
}

/** Weak or strong, one of several, or `*`. */
function matchesIfNoneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((item) => item.trim() === '*' || item.trim().replace(/^W\//, '') === etag);
}

function contextOf({ accounts, grants, ...call }: RouteCall): HostContext {
  return {
    ...call,
    now: call.clock.now(),
    accounts: async () => accounts,
    grants: async () => grants,
    asker: call.caller,
    url: call.urlOf(call.request),
  };
}

function renameKeys<T>(
  values: Readonly<Record<string, T>>,
  rename: Readonly<Record<string, string>>,
): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [rename[name] ?? name, value]));
}

function isEmpty(fields: Fields): boolean {
  return Object.keys(fields).length === 0;
}

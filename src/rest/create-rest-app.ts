import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { authorize } from '../engine/authorize.ts';
import type { Caller } from '../model/caller.ts';
import { EngineError } from '../model/errors.ts';
import { escapeHiddenInJson } from '../model/hidden-characters.ts';
import { errorResponse, RequestProblem } from './error-response.ts';
import { parseInput, readQuery } from './parse-input.ts';
import { parseJsonBody, readText, requireContentType } from './read-body.ts';
import type { RestEnv, RestPorts } from './rest-env.ts';
import type { Answer, RequestHeader, Route, RouteCall } from './route.ts';
import { ROUTES } from './route-table.ts';
import { compressLines, streamLines } from './stream-lines.ts';

const NO_FIELDS = z.strictObject({});
const MAX_HEADER_CHARS = 200;
/** Names a place in the feed of each of the caller's spaces. */
const MAX_EVENT_ID_CHARS = 8192;

/** The routes below API_PATH. Who calls has been proved before: `caller` is set. */
export function createRestApp(ports: RestPorts, routes = ROUTES): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  for (const route of routes) app.on(route.method, toHonoPath(route.path), (c) => answerRoute(route, c, ports));
  for (const [path, alike] of Map.groupBy(routes, (route) => route.path))
    app.all(toHonoPath(path), () => refuseMethod(alike));
  app.notFound((c) => errorResponse(noSuchPath(), c.get('requestId')));
  app.onError((error, c) => errorResponse(error, c.get('requestId')));
  return app;
}

export function noSuchPath(): EngineError {
  return new EngineError('not_found', 'There is no such route.', {
    hint: 'GET /api/v1/docs lists the routes.',
  });
}

async function answerRoute(route: Route, c: Context<RestEnv>, ports: RestPorts): Promise<Response> {
  const request = c.req.raw;
  const header = (name: RequestHeader) => readHeader(request, name);
  const caller = inZone(c.get('caller'), header('X-Time-Zone'));
  authorize(caller, route.action, caller.space);
  const params = parseInput(route.params ?? NO_FIELDS, c.req.param(), 'path');
  const query = parseInput(route.query ?? NO_FIELDS, withoutTeam(readQuery(request.url)), 'query');
  const body = await readBody(route, request, route.isUpload ? ports.maxUploadBytes : ports.maxBodyBytes);
  try {
    return await toResponse(
      await route.handle({ ...ports, caller, params, query, body, request, header, address: c.get('address') }),
      ports,
      request,
    );
  } catch (error) {
    if (error instanceof EngineError && error.code === 'conflict' && header('If-Match') !== undefined) {
      const { message, details: facts, hint } = error;
      throw new RequestProblem('conflict', message, { status: 412, facts, hint });
    }
    throw error;
  }
}

/** Which team is meant has been looked at with the token. */
function withoutTeam({ team: _team, ...query }: ReturnType<typeof readQuery>): ReturnType<typeof readQuery> {
  return query;
}

async function readBody(route: Route, request: Request, maxBytes: number): Promise<RouteCall['body']> {
  if (route.streamedBody !== undefined) requireContentType(request, route.streamedBody);
  if (route.body === undefined) return undefined;
  requireContentType(request, ['application/json']);
  return parseInput(route.body, parseJsonBody(await readText(request, maxBytes)), 'body');
}

async function toResponse(answer: Answer, ports: RestPorts, request: Request): Promise<Response> {
  const { status, headers = {}, lines, stream } = answer;
  if (stream !== undefined) return new Response(stream, { status, headers });
  if (lines !== undefined) {
    const compressed = compressLines(await streamLines(lines, ports.log), request);
    return new Response(compressed.body, { status, headers: { ...headers, ...compressed.headers } });
  }
  if (answer.body === undefined) return new Response(null, { status, headers });
  // what is hidden in a text parses to the same value, and cannot act on whoever looks at the answer itself
  const body = escapeHiddenInJson(JSON.stringify(answer.body));
  return new Response(body, { status, headers: { 'Content-Type': 'application/json', ...headers } });
}

function readHeader(request: Request, name: RequestHeader): string | undefined {
  const value = request.headers.get(name)?.trim();
  if (value === undefined || value === '') return undefined;
  if (value.length <= (name === 'Last-Event-ID' ? MAX_EVENT_ID_CHARS : MAX_HEADER_CHARS)) return value;
  throw new RequestProblem('invalid_input', `The header ${name} is longer than ${MAX_HEADER_CHARS} characters.`, {
    errors: [{ field: name, message: 'is too long' }],
  });
}

function inZone(caller: Caller, timeZone: string | undefined): Caller {
  if (timeZone === undefined) return caller;
  try {
    return { ...caller, timeZone: new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone };
  } catch {
    throw new RequestProblem('invalid_input', 'The header X-Time-Zone is not a time zone.', {
      hint: 'Send an IANA name, such as Europe/Berlin.',
      errors: [{ field: 'X-Time-Zone', message: 'is not known' }],
    });
  }
}

function refuseMethod(alike: readonly Route[]): never {
  const allow = alike.map((route) => route.method);
  throw new RequestProblem('invalid_input', 'This method is not allowed here.', {
    status: 405,
    hint: `It understands ${allow.join(', ')}.`,
    headers: { Allow: allow.join(', ') },
  });
}

export function toHonoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

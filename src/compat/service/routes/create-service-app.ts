import { type Context, type Env, Hono } from 'hono';
import { type Authenticate, authorizationOf, callerOf } from '../../../auth/authenticate.ts';
import type { RequestLimit } from '../../../auth/token-buckets.ts';
import { authorize } from '../../../engine/authorize.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { Caller } from '../../../model/caller.ts';
import { EngineError } from '../../../model/errors.ts';
import { sayWithHint } from '../../../model/failure-facts.ts';
import { escapeHiddenInJson } from '../../../model/hidden-characters.ts';
import { toHonoPath } from '../../../rest/create-rest-app.ts';
import { ERROR_STATUS, RequestProblem } from '../../../rest/error-response.ts';
import { readObject } from '../../../rest/read-body.ts';
import { splitAt } from '../../../verbs/verb.ts';
import type { ServicePorts, ServiceRoute } from './service-route.ts';
import { SERVICE_ROUTES } from './service-routes.ts';

export interface ServiceAppPorts extends Omit<ServicePorts, 'tickets'> {
  engine: Engine;
  authenticate: Authenticate;
  limit: RequestLimit;
  timeZone: string;
  maxBodyBytes: number;
  now(): number;
  tickets: ServicePorts['tickets'] & { redeem(ticket: string): string | null };
  resourceMetadataUrl(request: Request): string | null;
}

const MAX_LABEL_CHARS = 200;

/** The routes of mcp-memory-service, at its paths. */
export function createServiceApp<E extends Env>(
  ports: ServiceAppPorts,
  addressOf: (c: Context<E>) => string,
  routes = SERVICE_ROUTES,
): Hono<E> {
  const app = new Hono<E>().onError((error, c) => describeFailure(error, ports, c.req.raw));
  for (const route of routes) {
    const { method, path } = splitAt(route);
    app.on(method, toHonoPath(path), (c) => answer(route, c, { ports, address: addressOf(c) }));
  }
  return app;
}

interface Asked {
  ports: ServiceAppPorts;
  address: string;
}

async function answer<E extends Env>(route: ServiceRoute, c: Context<E>, asked: Asked): Promise<Response> {
  const { ports } = asked;
  const request = c.req.raw;
  const { method } = splitAt(route);
  const caller = await identify(route, request, asked);
  if (route.needs !== null) authorize(caller, route.needs, caller.space);
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const body = method === 'GET' || route.isRaw === true ? {} : await readObject(request, ports.maxBodyBytes);
  const { engine, timeZone, settings } = ports;
  const answered = await route.answer(
    {
      engine,
      caller: { timeZone, ...caller },
      now: ports.now(),
      timeZone,
      settings,
      ports,
      request,
      params: c.req.param() as Record<string, string>,
    },
    { query, body },
  );
  return answered instanceof Response ? answered : toResponse(answered, 200);
}

function toResponse(body: object, status: number, headers: Record<string, string> = {}): Response {
  const text = escapeHiddenInJson(JSON.stringify(body));
  return new Response(text, { status, headers: { 'Content-Type': 'application/json', ...headers } });
}

/** Whoever comes with a ticket for the stream of events came with a credential when it was issued. */
async function identify(route: ServiceRoute, request: Request, { ports, address }: Asked): Promise<Caller> {
  if (route.needs === null) return NOBODY;
  const ticket = route.at === 'GET /events' ? new URL(request.url).searchParams.get('ticket') : null;
  const authorization =
    authorizationOf(request) ?? (ticket === null ? null : ports.tickets.redeem(ticket)) ?? undefined;
  const result = await ports.authenticate(authorization, address);
  if (result.outcome === 'refused') throw new Unauthorized(result.reason);
  const writes = route.writes ?? (route.needs !== 'read' && route.needs !== null);
  ports.limit.count(result.proof.credential.userId, writes ? 'write' : 'read');
  const label = (name: string): string | undefined =>
    request.headers.get(name)?.trim().slice(0, MAX_LABEL_CHARS) || undefined;
  return callerOf(result.proof, {
    door: 'rest',
    team: new URL(request.url).searchParams.get('team') ?? undefined,
    agent: label('x-agent-id'),
    host: label('x-client-hostname'),
    client: label('user-agent'),
  });
}

/** Asks only what anybody may. */
const NOBODY: Caller = {
  userId: '',
  space: '',
  spaces: [],
  roles: new Map(),
  scopes: new Set(),
  door: 'rest',
};

class Unauthorized extends EngineError {
  constructor(reason: string) {
    super('unauthorized', reason === 'missing' ? 'A credential is required.' : 'The credential is not valid.', {
      details: { reason },
    });
  }
}

/** In the shape of the service's own errors. The text of what was not foreseen stays inside. */
function describeFailure(error: Error, ports: ServiceAppPorts, request: Request): Response {
  if (!(error instanceof EngineError)) return toResponse({ detail: 'The server could not finish this request.' }, 500);
  if (error instanceof Unauthorized) {
    const metadata = ports.resourceMetadataUrl(request);
    const challenge = `Bearer${metadata === null ? ' realm="ltm"' : ` resource_metadata="${metadata}"`}`;
    const hint = new URL(request.url).searchParams.has('api_key')
      ? 'A key in the address is not accepted: it would be kept in logs. Send it as X-API-Key.'
      : 'Send an API key as X-API-Key, or a token as Authorization: Bearer.';
    const detail = { error: 'authorization_required', error_description: `${error.message} ${hint}` };
    return toResponse({ detail }, 401, { 'WWW-Authenticate': challenge });
  }
  if (error.code === 'forbidden') {
    const name = typeof error.details.scope === 'string' ? 'insufficient_scope' : 'forbidden';
    return toResponse({ detail: { error: name, error_description: error.message } }, 403);
  }
  const isNamed = error instanceof RequestProblem && error.errors.length > 0;
  const detail = isNamed
    ? error.errors.map(({ field, message }) => ({ loc: field.split('.'), msg: message, type: 'value_error' }))
    : sayWithHint(error);
  const wait = error.details.retry_after;
  const headers: Record<string, string> = typeof wait === 'number' ? { 'Retry-After': String(wait) } : {};
  return toResponse({ detail }, error instanceof RequestProblem ? error.status : ERROR_STATUS[error.code][0], headers);
}

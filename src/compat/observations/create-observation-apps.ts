import { type Context, type Env, Hono } from 'hono';
import { type Authenticate, authorizationOf, callerOf } from '../../auth/authenticate.ts';
import type { RequestLimit } from '../../auth/token-buckets.ts';
import { authorize } from '../../engine/authorize.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import { sayWithHint } from '../../model/failure-facts.ts';
import { toHonoPath } from '../../rest/create-rest-app.ts';
import { ERROR_STATUS } from '../../rest/error-response.ts';
import { readObject } from '../../rest/read-body.ts';
import { splitAt } from '../../verbs/verb.ts';
import { OBSERVATION_ROUTES, type ObservationPorts, type ObservationRoute } from './observation-routes.ts';

export interface ObservationAppPorts extends ObservationPorts {
  engine: Engine;
  authenticate: Authenticate;
  limit: RequestLimit;
  timeZone: string;
  maxBodyBytes: number;
  now(): number;
  /** Somebody asked: the server is not idle. */
  onRequest(): void;
}

const MAX_LABEL_CHARS = 200;

/** One app for each path below the root: the others are not theirs. */
export function createObservationApps<E extends Env>(
  ports: ObservationAppPorts,
  addressOf: (c: Context<E>) => string,
): { path: string; app: Hono<E> }[] {
  return OBSERVATION_ROUTES.map((route) => {
    const { method, path } = splitAt(route);
    const app = new Hono<E>().onError(describeFailure);
    app.on(method, '/', (c) => answer(route, c, { ports, address: addressOf(c) }));
    return { path: toHonoPath(path), app };
  });
}

async function answer<E extends Env>(
  route: ObservationRoute,
  c: Context<E>,
  { ports, address }: { ports: ObservationAppPorts; address: string },
): Promise<Response> {
  ports.onRequest();
  const { method } = splitAt(route);
  const request = c.req.raw;
  const caller = await identify(ports, request, address);
  if (caller === null) return Response.json({ error: 'Unauthorized' }, { status: 401, headers: CHALLENGE });
  authorize(caller, method === 'GET' ? 'read' : 'write', caller.space);
  const body = method === 'GET' ? {} : await readObject(request, ports.maxBodyBytes);
  const context = { engine: ports.engine, caller, now: ports.now(), timeZone: ports.timeZone };
  const query = new URL(request.url).searchParams;
  const answered = await route.handle({ ...context, ports, query, params: c.req.param() as never, body });
  return answered instanceof Response ? answered : Response.json(answered);
}

const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="ltm"' };

/** null: nobody whom the server knows. */
async function identify(
  { authenticate, limit }: ObservationAppPorts,
  request: Request,
  address: string,
): Promise<Caller | null> {
  const result = await authenticate(authorizationOf(request), address);
  if (result.outcome === 'refused') return null;
  limit.count(result.proof.credential.userId, request.method === 'GET' ? 'read' : 'write');
  const label = (name: string): string | undefined =>
    request.headers.get(name)?.trim().slice(0, MAX_LABEL_CHARS) || undefined;
  return callerOf(result.proof, { door: 'rest', host: label('x-client-hostname'), client: label('user-agent') });
}

/** The text of what was not foreseen stays inside. */
function describeFailure(error: Error): Response {
  if (error instanceof EngineError) {
    const wait = error.details.retry_after;
    const headers = typeof wait === 'number' ? { 'Retry-After': String(wait) } : undefined;
    return Response.json({ error: sayWithHint(error) }, { status: ERROR_STATUS[error.code][0], headers });
  }
  return Response.json({ error: 'the server could not finish this request' }, { status: 500 });
}

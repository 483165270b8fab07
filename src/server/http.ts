import { randomBytes } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { type Authentication, callerOf } from '../auth/authenticate.ts';
import type { Caller, Door } from '../model/caller.ts';
import { createDocsApp } from '../rest/create-docs-app.ts';
import { createRestApp, noSuchPath } from '../rest/create-rest-app.ts';
import { errorResponse, RequestProblem } from '../rest/error-response.ts';
import { bodyTooLarge } from '../rest/read-body.ts';
import { API_PATH, type RestEnv, type RestPorts } from '../rest/rest-env.ts';
import type { HostGuard } from './host-guard.ts';
import { answerMcp, type McpHandler } from './mcp-endpoint.ts';

export interface HttpParts {
  rest: RestPorts;
  mcp: McpHandler;
  hosts: HostGuard;
  authenticate(authorization: string | undefined, address: string): Promise<Authentication>;
}

type ServerEnv = RestEnv & { Bindings: Partial<HttpBindings> };

const MAX_CLIENT_CHARS = 100;
/** A page of ours sets its own, narrower policy. */
const NO_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Everything over HTTP, in the order a request meets it: size, Host and Origin, what is public, token, routes. */
export function createHttpApp(parts: HttpParts): Hono<ServerEnv> {
  const { rest, mcp } = parts;
  const app = new Hono<ServerEnv>();
  app.onError((error, c) => errorResponse(error, c.get('requestId'), rest.log));
  app.notFound((c) => errorResponse(noSuchPath(), c.get('requestId'), rest.log));
  app.use(nameAndLog(rest));
  app.use(checkSize(rest));
  app.use(checkHosts(parts));
  app.get('/health', (c) => c.json({ status: 'ok' }));
  app.get('/', (c) => c.redirect(`${API_PATH}/docs`));
  // Clients that are told 401 look here for an OAuth server; "not found" tells them that there is none.
  app.all('/.well-known/*', (c) => c.notFound());
  app.route(API_PATH, createDocsApp());
  app.use(checkToken(parts));
  app.all('/mcp', (c) => answerMcp(c.req.raw, { caller: { timeZone: rest.timeZone, ...c.get('caller') }, handler: mcp, maxBodyBytes: rest.maxBodyBytes }));
  app.route(API_PATH, createRestApp(rest));
  return app;
}

function nameAndLog({ log }: RestPorts): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const requestId = randomBytes(9).toString('base64url');
    const startedAt = performance.now();
    c.set('requestId', requestId);
    await next();
    const { headers, status } = c.res;
    headers.set('X-Request-Id', requestId);
    headers.set('X-Content-Type-Options', 'nosniff');
    headers.set('Referrer-Policy', 'no-referrer');
    headers.set('Cross-Origin-Resource-Policy', 'same-origin');
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'private, no-store');
    if (!headers.has('Content-Security-Policy')) headers.set('Content-Security-Policy', NO_CONTENT_POLICY);
    if (c.req.path === '/health') return;
    log.info('request', { request_id: requestId, method: c.req.method, path: maskPath(c.req.path), status, ms: Math.round(performance.now() - startedAt) });
  };
}

/** By what the request says of itself, before a byte of it is read; bodies without a length are counted while they are read. */
function checkSize({ maxBodyBytes, maxImportBytes }: RestPorts): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const most = c.req.path === `${API_PATH}/import` ? maxImportBytes : maxBodyBytes;
    if (Number(c.req.header('content-length') ?? 0) > most) throw bodyTooLarge(most);
    await next();
  };
}

function checkHosts({ hosts }: HttpParts): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const host = c.req.header('host') ?? null;
    if (host === null || !hosts.allowsHost(host)) {
      throw new RequestProblem('forbidden', 'This server does not answer to the name in the Host header.', {
        hint: 'Add the name to the setting allowed_hosts.',
      });
    }
    if (!hosts.allowsOrigin(c.req.header('origin') ?? null, host)) {
      throw new RequestProblem('forbidden', 'Pages of this origin may not call this server.', { hint: 'Add the origin to the setting allowed_origins.' });
    }
    await next();
  };
}

function checkToken({ authenticate, rest }: HttpParts): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const address = c.env?.incoming?.socket.remoteAddress ?? 'unknown';
    const result = await authenticate(c.req.header('authorization'), address);
    if (result.outcome === 'refused') {
      rest.log.warn('request_refused', { reason: result.reason, address, method: c.req.method, path: maskPath(c.req.path), request_id: c.get('requestId') });
      throw refusal(result);
    }
    c.set('caller', makeCaller(c, result));
    await next();
  };
}

function makeCaller(c: Context<ServerEnv>, { token }: Extract<Authentication, { outcome: 'accepted' }>): Caller {
  const door: Door = c.req.path === '/mcp' ? 'mcp' : 'rest';
  const client = c.req.header('user-agent')?.slice(0, MAX_CLIENT_CHARS);
  return callerOf(token, door, client);
}

/** Unknown, revoked and expired tokens get the same answer; the log tells them apart. */
function refusal({ reason, limited }: Extract<Authentication, { outcome: 'refused' }>): RequestProblem {
  if (limited)
    return new RequestProblem('rate_limited', 'Too many wrong tokens from this address.', { hint: 'Wait a minute. A right token is accepted all the same.' });
  const challenge = reason === 'missing' ? 'Bearer realm="ltm"' : 'Bearer realm="ltm", error="invalid_token"';
  const detail = reason === 'missing' ? 'This address needs a token.' : 'The token is not valid.';
  return new RequestProblem('unauthorized', detail, {
    hint: "Send the header Authorization: Bearer <token>. `ltm serve` says where the owner's token is kept.",
    headers: { 'WWW-Authenticate': challenge },
  });
}

/** What a caller named a memory is theirs; the log need not know. */
function maskPath(path: string): string {
  return path.replace(/^(.*\/memories\/)(?!batch$|delete$)[^/]+/, '$1{ref}').slice(0, 100);
}

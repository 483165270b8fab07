import { randomBytes } from 'node:crypto';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { PROOF_PATH } from '../client/own-server.ts';
import type { Log } from '../engine/ports.ts';
import type { ToolTable } from '../mcp/tool-table.ts';
import { familiesIn } from '../mcp/tool-table.ts';
import { EngineError } from '../model/errors.ts';
import { failureFacts } from '../model/failure-facts.ts';
import { VERSION } from '../model/version.ts';
import { pageResponse } from '../pages/page-layout.ts';
import { nowherePage, welcomePage } from '../pages/welcome-page.ts';
import { createTokenCheck, maskPath, type ServerEnv, type TokenCheckPorts } from '../rest/check-token.ts';
import { createDocsApp } from '../rest/create-docs-app.ts';
import { createRestApp, noSuchPath } from '../rest/create-rest-app.ts';
import { errorResponse, RequestProblem } from '../rest/error-response.ts';
import type { Mount } from '../rest/mount.ts';
import { bodyTooLarge } from '../rest/read-body.ts';
import { FORM_BYTES } from '../rest/read-upload.ts';
import { API_PATH, type RestPorts } from '../rest/rest-env.ts';
import type { Route } from '../rest/route.ts';
import { ROUTES, writingOf } from '../rest/route-table.ts';
import type { HostGuard } from './host-guard.ts';
import { answerMcp, type McpHandler } from './mcp-endpoint.ts';
import type { AnsweredRequest } from './metrics.ts';
import type { StoreState } from './store-check.ts';

export interface HttpPorts extends TokenCheckPorts {
  rest: RestPorts;
  /** The whole API where nothing is said. */
  routes?: readonly Route[] | undefined;
  mcp: McpHandler;
  tools: ToolTable;
  /** Those that are listed where the address names none. */
  families: readonly string[] | undefined;
  hosts: HostGuard;
  /** Where whoever asks reaches this server, without a slash at the end. */
  urlOf(request: Request): string;
  storeState(): Promise<StoreState>;
  /** Beside the status, in `/health`. */
  vitals(): Promise<Record<string, unknown>>;
  onAnswered(request: AnsweredRequest): void;
  /** Pages of these may call from browsers. */
  allowedOrigins: readonly string[];
  /** Asked before every other part: pages anyone may see, and apps that check tokens in their own way (`createTokenCheck`). */
  mounts: readonly Mount[];
}

/** A page of ours sets its own, narrower policy. */
const NO_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Everything over HTTP, in the order a request meets it: size, Host and Origin, what is public, token, routes. */
export function createHttpApp(ports: HttpPorts): Hono<ServerEnv> {
  const { rest, mcp, tools, routes = ROUTES } = ports;
  const app = new Hono<ServerEnv>();
  app.onError((error, c) => errorResponse(error, c.get('requestId')));
  app.notFound((c) => errorResponse(noSuchPath(), c.get('requestId')));
  app.use(nameAndLog(rest.log, ports.onAnswered));
  app.use(checkSize(rest));
  app.use(checkHosts(ports));
  app.use(allowOrigins(ports.allowedOrigins));
  app.get('/health', async (c) => {
    const state = await ports.storeState();
    if (state === 'up') return c.json({ status: 'ok', ...(await ports.vitals()) });
    return c.json(state === 'outdated' ? { status: 'outdated', hint: OUTDATED_HINT } : { status: 'unavailable' }, 503);
  });
  app.get('/', (c) =>
    pageResponse(welcomePage({ url: ports.urlOf(c.req.raw), docs: `${API_PATH}/docs`, version: VERSION })),
  );
  for (const mount of ports.mounts) app.route(mount.path, mount.app);
  // Clients that are told 401 look here for an OAuth server; "not found" tells them that there is none.
  app.all('/.well-known/*', (c) => c.notFound());
  app.route(API_PATH, createDocsApp(routes));
  // Clients of other systems write the address with a slash at the end.
  for (const path of ['/mcp', '/mcp/']) app.use(path, createTokenCheck(ports, 'mcp'), refuseOutdated(ports));
  app.on('ALL', ['/mcp', '/mcp/'], async (c) => {
    familiesIn(c.req.url, tools.families);
    const caller = { timeZone: rest.timeZone, ...c.get('caller') };
    const { streams } = rest;
    const maxBodyBytes = caller.powers?.has('upload') ? rest.maxUploadBytes : rest.maxBodyBytes;
    const { limit, families } = ports;
    return answerMcp(c.req.raw, { caller, handler: mcp, tools, families, limit, maxBodyBytes, streams });
  });
  app.use(showNowhere(routes));
  app.use(createTokenCheck(ports, 'rest', writingOf(routes)));
  app.route(API_PATH, createRestApp(rest, routes));
  return app;
}

const OUTDATED_HINT = 'A newer ltm has upgraded the database. Update this node, then restart it.';

/** What a tool answers is no error of HTTP: a proxy would leave such agents at a node that cannot write. */
function refuseOutdated({ storeState }: HttpPorts): MiddlewareHandler<ServerEnv> {
  return async (_, next) => {
    if ((await storeState()) === 'outdated')
      throw new EngineError('storage_unsupported', 'The database was upgraded by a newer ltm.', {
        hint: OUTDATED_HINT,
      });
    return next();
  };
}

/** A person who follows a wrong link is told so on a page; programs are told as ever, that they need a token. */
function showNowhere(routes: readonly Route[]): MiddlewareHandler<ServerEnv> {
  const paths = new Set(routes.map(({ path }) => path.split('/', 2).join('/')));
  return async (c, next) => {
    const { method, path } = c.req;
    const isOurs = path.startsWith(`${API_PATH}/`) && paths.has(path.slice(API_PATH.length).split('/', 2).join('/'));
    const isPerson =
      method === 'GET' &&
      c.req.header('authorization') === undefined &&
      /\btext\/html\b/.test(c.req.header('accept') ?? '');
    return isPerson && !isOurs ? pageResponse(nowherePage(), 404) : next();
  };
}

const ID_BYTES = 9;
let random = Buffer.alloc(0);

/** Random bytes are fetched for many at once: that costs as much as for one. */
function newRequestId(): string {
  if (random.length < ID_BYTES) random = randomBytes(ID_BYTES * 256);
  const id = random.subarray(0, ID_BYTES).toString('base64url');
  random = random.subarray(ID_BYTES);
  return id;
}

function nameAndLog(log: Log, onAnswered: HttpPorts['onAnswered']): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const requestId = newRequestId();
    const startedAt = performance.now();
    c.set('requestId', requestId);
    await next();
    // Hono answers HEAD with the headers of GET: a stream that nobody will read must not stay open.
    if (c.req.method === 'HEAD') await c.res.body?.cancel();
    const { headers, status } = c.res;
    headers.set('X-Request-Id', requestId);
    headers.set('X-Content-Type-Options', 'nosniff');
    if (!headers.has('Referrer-Policy')) headers.set('Referrer-Policy', 'no-referrer');
    headers.set('Cross-Origin-Resource-Policy', 'same-origin');
    if (isEncrypted(c)) headers.set('Strict-Transport-Security', 'max-age=31536000');
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'private, no-store');
    if (!headers.has('Content-Security-Policy')) headers.set('Content-Security-Policy', NO_CONTENT_POLICY);
    if (c.req.path === '/health' || c.req.path === PROOF_PATH) return;
    const { method, path } = c.req;
    const ms = performance.now() - startedAt;
    onAnswered({ method, path, status, ms });
    const facts = { request_id: requestId, method, path: maskPath(path), status };
    log.info('request', { ...facts, ms: Math.round(ms) });
    // Hono keeps what a handler threw, whichever part of the server made an answer of it.
    if (status >= 500) log.error('request_failed', { ...(c.error && failureFacts(c.error)), ...facts });
  };
}

/** Of the client's own connection; what a proxy says of it has been checked. */
function isEncrypted(c: Context<ServerEnv>): boolean {
  return c.req.url.startsWith('https:') || c.req.header('x-forwarded-proto') === 'https';
}

/** By what the request says of itself, before a byte of it is read; bodies without a length are counted while they are read. */
function checkSize(ports: RestPorts): MiddlewareHandler<ServerEnv> {
  const { maxBodyBytes, maxImportBytes, maxUploadBytes, maxDocumentBytes } = ports;
  const documents = maxDocumentBytes + FORM_BYTES;
  const limits: Readonly<Record<string, number>> = {
    [`${API_PATH}/import`]: maxImportBytes,
    [`${API_PATH}/documents`]: documents,
    '/api/documents/upload': documents,
    '/api/documents/batch-upload': documents,
    '/mcp': maxUploadBytes,
    '/mcp/': maxUploadBytes,
  };
  // Who uploads is known later: until then nothing of the body is read.
  const limitOf = (path: string): number =>
    limits[path] ?? (path.startsWith(`${API_PATH}/workspaces/`) ? maxUploadBytes : maxBodyBytes);
  return async (c, next) => {
    const most = limitOf(c.req.path);
    // The packet API stops reading by itself, and answers 400.
    if (Number(c.req.header('content-length') ?? 0) > most && !c.req.path.startsWith('/v1/')) throw bodyTooLarge(most);
    await next();
  };
}

function checkHosts({ hosts }: HttpPorts): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const host = c.req.header('host') ?? null;
    if (host === null || !hosts.allowsHost(host)) {
      throw new RequestProblem('forbidden', 'The Host header is not allowed.', {
        hint: 'Add the name to the setting allowed_hosts.',
      });
    }
    if (!hosts.allowsOrigin(c.req.header('origin') ?? null, host)) {
      throw new RequestProblem('forbidden', 'Requests from pages of this origin are not allowed.', {
        hint: 'Add the origin to the setting allowed_origins.',
      });
    }
    await next();
  };
}

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
const REQUEST_HEADERS = [
  'Authorization',
  'X-API-Key',
  'Content-Type',
  'Accept',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
  'Mcp-Method',
  'Mcp-Name',
  'X-Agent-ID',
  'X-Client-Hostname',
  'X-LTM-Team',
  'X-Time-Zone',
];
const ANSWER_HEADERS = ['ETag', 'Location', 'Mcp-Session-Id', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id'];
const PREFLIGHT_SECONDS = 600;

/** For pages of the origins that the operator allows, and no others; without a setting nobody gets these headers. Credentials of browsers play no part: tokens travel in a header. */
function allowOrigins(origins: readonly string[]): MiddlewareHandler<ServerEnv> {
  const allow = cors({
    origin: (origin) => origin,
    allowMethods: METHODS,
    allowHeaders: REQUEST_HEADERS,
    exposeHeaders: ANSWER_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
  });
  return (c, next) => (origins.includes(c.req.header('origin')?.toLowerCase() ?? '') ? allow(c, next) : next());
}

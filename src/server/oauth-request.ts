import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { INTERACTION_PATH, ROUTES } from '../auth/oauth/oauth-configuration.ts';
import type { Log } from '../engine/ports.ts';
import { maskPath } from '../rest/check-token.ts';

/** Clients that know the address of MCP alone also look behind it. */
export const DISCOVERY =
  /^(?:\/mcp(?:\/sse)?)?(\/\.well-known\/(?:oauth-authorization-server|openid-configuration))(?:\/mcp(?:\/sse)?)?$/;
/** Where an earlier command line asks for its device code. */
export const DEVICE_ALIAS = '/oauth/authorize_device';
const MAX_CODE_CHARS = 12;

export function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').replace(/\?.*$/s, '');
}

/** Is it a person in a browser who asks? */
export function isPage(path: string): boolean {
  return path === ROUTES.authorization || path === ROUTES.code_verification || path.startsWith(INTERACTION_PATH);
}

/** A trusted proxy's word has been checked before, and anybody else's removed. */
export function addressOf(request: IncomingMessage): string {
  const told = request.headers['x-forwarded-for'];
  return (typeof told === 'string' ? told : undefined) ?? request.socket.remoteAddress ?? 'unknown';
}

/** What every answer has, and the line in the log. */
export function beginAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { log, isHttps }: { log: Log; isHttps: boolean },
): void {
  const startedAt = performance.now();
  const requestId = randomBytes(9).toString('base64url');
  const { method = '' } = request;
  const path = maskPath(pathOf(request));
  response.setHeader('X-Request-Id', requestId);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'same-origin');
  response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  if (isHttps) response.setHeader('Strict-Transport-Security', 'max-age=31536000');
  response.on('finish', () => {
    const facts = { request_id: requestId, method, path, status: response.statusCode };
    log.info('request', { ...facts, ms: Math.round(performance.now() - startedAt) });
    if (response.statusCode >= 500) log.error('request_failed', facts);
  });
}

/** Pages of allowed origins may discover, register and fetch tokens; what people see is for people alone. True: the question before the request is answered. */
export function answerOrigin(
  request: IncomingMessage,
  response: ServerResponse,
  allowedOrigins: readonly string[],
): boolean {
  const { origin } = request.headers;
  if (origin === undefined || isPage(pathOf(request)) || !allowedOrigins.includes(origin.toLowerCase())) return false;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Vary', 'Origin');
  if (request.method !== 'OPTIONS') return false;
  response
    .writeHead(204, {
      'Access-Control-Allow-Methods': 'GET, POST',
      'Access-Control-Allow-Headers': 'Authorization, Content-Type, MCP-Protocol-Version',
    })
    .end();
  return true;
}

/** The engine makes its addresses from the request; here they become those of the issuer, whatever the headers said. */
export function prepareRequest(
  request: IncomingMessage,
  issuer: string,
  prefilled: WeakMap<IncomingMessage, string>,
): void {
  const url = new URL(request.url ?? '/', issuer);
  const { protocol, host } = new URL(issuer);
  const address = addressOf(request);
  Object.assign(request.headers, {
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-for': address,
  });
  url.pathname = url.pathname.replace(DISCOVERY, '$1');
  if (url.pathname === DEVICE_ALIAS) url.pathname = ROUTES.device_authorization;
  if (url.pathname === ROUTES.authorization) askForConsent(url.searchParams);
  if (url.pathname === ROUTES.code_verification && request.method === 'GET') {
    prefilled.set(request, (url.searchParams.get('user_code') ?? '').slice(0, MAX_CODE_CHARS));
    url.search = '';
  }
  request.url = `${url.pathname}${url.search}`;
}

/** Every authorization is a person's decision, so none is refused for not having said that it wants one. */
function askForConsent(query: URLSearchParams): void {
  const prompts = new Set((query.get('prompt') ?? '').split(' ').filter((prompt) => prompt !== ''));
  if (!prompts.has('none')) query.set('prompt', [...prompts.add('consent')].join(' '));
}

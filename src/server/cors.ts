import type { MiddlewareHandler } from 'hono';
import type { ServerEnv } from './check-token.ts';

const METHODS = 'GET, POST, PATCH, PUT, DELETE';
const REQUEST_HEADERS = [
  'Authorization',
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
].join(', ');
const ANSWER_HEADERS = 'ETag, Location, Mcp-Session-Id, Retry-After, WWW-Authenticate, X-Request-Id';
const PREFLIGHT_SECONDS = '600';

/** For pages of the origins that the operator allows, and no others; without a setting nobody gets these headers. Credentials of browsers play no part: tokens travel in a header. */
export function allowOrigins(origins: readonly string[]): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const origin = c.req.header('origin')?.toLowerCase();
    if (origin === undefined || !origins.includes(origin)) return next();
    const isPreflight = c.req.method === 'OPTIONS' && c.req.header('access-control-request-method') !== undefined;
    if (isPreflight) {
      c.res = new Response(null, {
        status: 204,
        headers: {
          'Access-Control-Allow-Methods': METHODS,
          'Access-Control-Allow-Headers': REQUEST_HEADERS,
          'Access-Control-Max-Age': PREFLIGHT_SECONDS,
        },
      });
    } else await next();
    c.res.headers.set('Access-Control-Allow-Origin', c.req.header('origin') ?? '');
    c.res.headers.set('Access-Control-Expose-Headers', ANSWER_HEADERS);
    c.res.headers.append('Vary', 'Origin');
  };
}

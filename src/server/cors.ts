import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { ServerEnv } from './check-token.ts';

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
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
];
const ANSWER_HEADERS = ['ETag', 'Location', 'Mcp-Session-Id', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id'];
const PREFLIGHT_SECONDS = 600;

/** For pages of the origins that the operator allows, and no others; without a setting nobody gets these headers. Credentials of browsers play no part: tokens travel in a header. */
export function allowOrigins(origins: readonly string[]): MiddlewareHandler<ServerEnv> {
  const allow = cors({
    origin: (origin) => origin,
    allowMethods: METHODS,
    allowHeaders: REQUEST_HEADERS,
    exposeHeaders: ANSWER_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
  });
  return (c, next) => (origins.includes(c.req.header('origin')?.toLowerCase() ?? '') ? allow(c, next) : next());
}

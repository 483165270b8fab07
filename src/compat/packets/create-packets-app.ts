import { type Context, type Env, Hono } from 'hono';
import { callerOf } from '../../auth/authenticate.ts';
import type { Caller } from '../../model/caller.ts';
import { INVITE_ROUTES } from './invite-routes.ts';
import { describeFailure, packetError } from './packet-error.ts';
import { MOST_DRAINED } from './packet-json.ts';
import type { PacketPorts, PacketRoute } from './packet-route.ts';
import { PACKET_ROUTES } from './packet-routes.ts';
import { TEAM_ROUTES } from './team-routes.ts';

export const PACKET_API_PATH = '/v1';
export const PACKET_API: readonly PacketRoute[] = [...PACKET_ROUTES, ...TEAM_ROUTES, ...INVITE_ROUTES];

const MAX_LABEL_CHARS = 200;
const SPLIT_ROUTES = PACKET_API.map((route) => ({ route, segments: route.path.split('/') }));

/** The packet protocol's HTTP API. Paths are matched by their raw segments, so that an id may hold whatever it likes, encoded. */
export function createPacketsApp<E extends Env>(ports: PacketPorts, addressOf: (c: Context<E>) => string): Hono<E> {
  const app = new Hono<E>();
  app.all('*', async (c) => {
    try {
      return closeAfterMuch(await answer(ports, c.req.raw, addressOf(c)), c.req.raw);
    } catch (error) {
      return describeFailure(error, ports.log);
    }
  });
  return app;
}

/** What is left of a body that was not read to its end would be taken for the next request. */
function closeAfterMuch(response: Response, { headers }: Request): Response {
  const isMuch = headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > MOST_DRAINED;
  if (isMuch) response.headers.set('Connection', 'close');
  return response;
}

async function answer(ports: PacketPorts, request: Request, address: string): Promise<Response> {
  const url = new URL(request.url);
  const found = matchPath(url.pathname);
  if (found.length === 0) return plain(404, '404 page not found');
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const match = found.find(({ route }) => route.method === method);
  if (match === undefined)
    return plain(405, 'Method Not Allowed', { Allow: allowedMethods(found.map(({ route }) => route.method)) });
  const { route, params } = match;
  const call = { ports, request, params, query: url.searchParams };
  if (route.access === 'public' || (route.access === 'optional' && !request.headers.has('authorization')))
    return route.handle({ ...call, caller: null });
  const caller = await identify(ports, request, address);
  return caller instanceof Response ? caller : route.handle({ ...call, caller });
}

async function identify(ports: PacketPorts, request: Request, address: string): Promise<Caller | Response> {
  const authorization = request.headers.get('authorization') ?? '';
  const refuse = (text: string, error?: string): Response => {
    const metadata = ports.resourceMetadataUrl(request);
    const facts = [
      ...(error === undefined ? [] : [`error="${error}"`]),
      ...(metadata === null ? [] : [`resource_metadata="${metadata}"`]),
    ];
    const challenge = ['Bearer realm="ltm"', ...facts].join(', ');
    return packetError(401, text, { headers: { 'WWW-Authenticate': challenge } });
  };
  if (!authorization.startsWith('Bearer ')) return refuse('missing bearer token');
  if (authorization.startsWith('Bearer  ')) return refuse('invalid token');
  const result = await ports.authenticate(authorization, address);
  if (result.outcome === 'accepted') {
    ports.limit.count(
      result.proof.credential.userId,
      request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write',
    );
    return callerOf(result.proof, { door: ports.door, ...labelsOf(request) });
  }
  return refuse(result.reason === 'suspended' ? 'token not bound to user' : 'invalid token', 'invalid_token');
}

function labelsOf({ headers }: Request): { agent?: string; host?: string; client?: string } {
  const label = (name: string): string | undefined => headers.get(name)?.trim().slice(0, MAX_LABEL_CHARS) || undefined;
  const [agent, host, client] = [label('x-agent-id'), label('x-client-hostname'), label('user-agent')];
  return {
    ...(agent !== undefined && { agent }),
    ...(host !== undefined && { host }),
    ...(client !== undefined && { client }),
  };
}

function matchPath(pathname: string): { route: PacketRoute; params: Record<string, string> }[] {
  const given = pathname.slice(PACKET_API_PATH.length + 1).split('/');
  return SPLIT_ROUTES.flatMap(({ route, segments }) => {
    const params = matchSegments(segments, given);
    return params === null ? [] : [{ route, params }];
  });
}

function matchSegments(wanted: readonly string[], given: readonly string[]): Record<string, string> | null {
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [i, segment] of wanted.entries()) {
    const text = decodeSegment(given[i]!);
    if (text === null || text === '') return null;
    if (segment.startsWith('{')) params[segment.slice(1, -1)] = text;
    else if (segment !== text) return null;
  }
  return params;
}

function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null; // not an encoding of anything: no such path
  }
}

function allowedMethods(methods: readonly string[]): string {
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].sort().join(', ');
}

function plain(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers } });
}

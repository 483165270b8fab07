import { type Context, type Env, Hono } from 'hono';
import { authorizationOf, type CallerOptions, callerOf } from '../../auth/authenticate.ts';
import type { HttpHost, HttpPart } from '../../features/host.ts';
import type { Caller } from '../../model/caller.ts';
import type { ServerEnv } from '../../rest/check-token.ts';
import { toHonoPath } from '../../rest/create-rest-app.ts';
import { INVITE_ROUTES } from './invite-routes.ts';
import { describeFailure, MOST_DRAINED, packetError, packetJson } from './packet-json.ts';
import type { OpenHandler, PacketCall, PacketPorts, PacketRoute } from './packet-route.ts';
import { PACKET_ROUTES } from './packet-routes.ts';
import { TEAM_ROUTES } from './team-routes.ts';

export const PACKET_API_PATH = '/v1';
export const PACKET_API: readonly PacketRoute[] = [...PACKET_ROUTES, ...TEAM_ROUTES, ...INVITE_ROUTES];

const MAX_LABEL_CHARS = 200;

/** Packets, teams and invites at /v1. */
export function packetApi({ engine, accounts, log, tokenCheck, urlOf }: HttpHost): HttpPart {
  const ports = { ...tokenCheck, engine, accounts, log, urlOf };
  return { mounts: [{ path: PACKET_API_PATH, app: createPacketsApp<ServerEnv>(ports, tokenCheck.addressOf) }] };
}

/** The packet protocol's HTTP API. */
export function createPacketsApp<E extends Env>(ports: PacketPorts, addressOf: (c: Context<E>) => string): Hono<E> {
  const app = new Hono<E>().onError(describeFailure);
  const answering = (answer: (c: Context<E>) => ReturnType<OpenHandler>) => async (c: Context<E>) =>
    closeAfterMuch(toResponse(await answer(c)), c.req.raw);
  for (const route of PACKET_API) {
    const handle = (c: Context<E>) =>
      answerRoute(route, { ...ports, request: c.req.raw, params: c.req.param() }, addressOf(c));
    app.on(route.method, toHonoPath(route.path), answering(handle));
  }
  for (const [path, alike] of Map.groupBy(PACKET_API, (route) => route.path)) {
    const Allow = allowedMethods(alike.map((route) => route.method));
    const refuse = answering(async () => plain(405, 'Method Not Allowed', { Allow }));
    app.all(toHonoPath(path), refuse);
  }
  const miss = answering(async () => plain(404, '404 page not found'));
  return app.all('*', miss);
}

function toResponse(answer: unknown): Response {
  if (answer instanceof Response) return answer;
  return answer === undefined ? new Response(null, { status: 204 }) : packetJson(answer as object);
}

/** What is left of a body that was not read to its end would be taken for the next request. */
function closeAfterMuch(response: Response, { headers }: Request): Response {
  const isMuch = headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > MOST_DRAINED;
  if (isMuch) response.headers.set('Connection', 'close');
  return response;
}

async function answerRoute(
  route: PacketRoute,
  asked: Omit<PacketCall, 'caller' | 'query'>,
  address: string,
): ReturnType<OpenHandler> {
  const { request } = asked;
  const call = { ...asked, query: new URL(request.url).searchParams };
  if (route.access === 'public' || (route.access === 'optional' && authorizationOf(request) === undefined))
    return route.handle({ ...call, caller: null });
  // the team is looked up before the body is read: to somebody outside of it, it does not matter what they sent
  const team = (route.inTeam === true && call.query.get('team')?.trim()) || undefined;
  const caller = await identify(asked, request, { address, team });
  return caller instanceof Response ? caller : route.handle({ ...call, caller });
}

async function identify(
  ports: PacketPorts,
  request: Request,
  { address, team }: { address: string; team: string | undefined },
): Promise<Caller | Response> {
  const authorization = authorizationOf(request) ?? '';
  const refuse = (text: string, error?: string): Response => {
    const metadata = ports.resourceMetadataUrl(request);
    const facts = [error && `error="${error}"`, metadata && `resource_metadata="${metadata}"`].filter(Boolean);
    const challenge = ['Bearer realm="ltm"', ...facts].join(', ');
    return packetError(401, text, { headers: { 'WWW-Authenticate': challenge } });
  };
  if (!authorization.startsWith('Bearer ')) return refuse('missing bearer token');
  if (authorization.startsWith('Bearer  ')) return refuse('invalid token');
  const result = await ports.authenticate(authorization, address);
  if (result.outcome === 'accepted') {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    ports.limit.count(result.proof.credential.userId, isRead ? 'read' : 'write');
    return callerOf(result.proof, { door: 'rest', team, ...labelsOf(request) });
  }
  return refuse(result.reason === 'suspended' ? 'token not bound to user' : 'invalid token', 'invalid_token');
}

function labelsOf({ headers }: Request): Pick<CallerOptions, 'agent' | 'host' | 'client'> {
  const label = (name: string): string | undefined => headers.get(name)?.trim().slice(0, MAX_LABEL_CHARS) || undefined;
  return { agent: label('x-agent-id'), host: label('x-client-hostname'), client: label('user-agent') };
}

function allowedMethods(methods: readonly string[]): string {
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].sort().join(', ');
}

function plain(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers } });
}

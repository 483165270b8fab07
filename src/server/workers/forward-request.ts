import { type IncomingMessage, type RequestListener, request, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Log } from '../../engine/ports.ts';
import { addressOf } from '../oauth-request.ts';
import type { WorkerPlace } from './peers.ts';

/** Session ids begin with the place of the worker that holds them, in two hexadecimal digits. */
export function markSession({ slot }: Pick<WorkerPlace, 'slot'>, id: string): string {
  return slot.toString(16).padStart(2, '0') + id.slice(2);
}

/**
 * Passwords, codes and registrations are counted, and passwords hashed two at a time, in the memory of one process: with one worker
 * for all of them the limits hold as they are, and the library for OAuth is loaded once.
 */
const ONE_FOR_ALL =
  /^\/oauth\/|\/\.well-known\/(?:oauth-authorization-server|openid-configuration)|\/password$|\/(?:invites|join)\//;
const MESSAGES = /^(?:\/mcp)?\/messages\/?\?(?:.*&)?session_id=([0-9a-f]{2})/i;

interface Routing {
  peers: WorkerPlace;
}

/** The place of the worker that must answer; null: any can. */
function ownerOf({ url = '/', headers }: IncomingMessage, { peers }: Routing): number | null {
  const digits = MESSAGES.exec(url)?.[1] ?? sessionIn(headers);
  const slot = digits === undefined ? null : Number.parseInt(digits, 16);
  if (slot !== null) return slot < peers.count ? slot : null;
  return ONE_FOR_ALL.test(url.replace(/\?.*$/s, '')) ? 0 : null;
}

function sessionIn(headers: IncomingMessage['headers']): string | undefined {
  const id = headers['mcp-session-id'];
  return typeof id === 'string' ? /^[0-9a-f]{2}/i.exec(id)?.[0] : undefined;
}

/** A connection lands on any worker. What only one of them can answer is passed on to it; where that one is away, whoever has the request answers. */
export function forwardToOwner(answer: RequestListener, { log, ...routing }: Routing & { log: Log }): RequestListener {
  return (asked, response) => {
    const owner = ownerOf(asked, routing);
    if (owner === null || owner === routing.peers.slot) return answer(asked, response);
    const socket = connect(socketPath(routing.peers, owner));
    socket.once('error', () => answer(asked, response));
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      pass(asked, response, { socket, onBroken: () => log.warn('worker_lost', { lost: owner + 1 }) });
    });
  };
}

function pass(
  asked: IncomingMessage,
  response: Parameters<RequestListener>[1],
  { socket, onBroken }: { socket: Socket; onBroken(): void },
): void {
  const onward = request({
    method: asked.method,
    path: asked.url,
    headers: headersOf(asked),
    createConnection: () => socket,
  });
  onward.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, endToEnd(answer.rawHeaders));
    // a stream of events may stay silent for long after its headers
    response.flushHeaders();
    answer.pipe(response);
    answer.on('error', () => response.destroy());
  });
  onward.on('error', () => {
    onBroken();
    if (response.headersSent) response.destroy();
    else response.writeHead(503, { 'Retry-After': '1' }).end();
  });
  response.on('close', () => socket.destroy());
  asked.pipe(onward);
}

/** As they came; what the connection itself says goes into headers that the other one may believe. */
function headersOf(asked: IncomingMessage): string[] {
  const headers = endToEnd(asked.rawHeaders);
  if (asked.headers['x-forwarded-for'] === undefined) headers.push('x-forwarded-for', addressOf(asked));
  if (asked.headers['x-forwarded-proto'] === undefined && 'encrypted' in asked.socket)
    headers.push('x-forwarded-proto', 'https');
  return headers;
}

const OF_ONE_CONNECTION: readonly string[] = ['connection', 'keep-alive', 'proxy-connection', 'upgrade'];

function endToEnd(raw: readonly string[]): string[] {
  return raw.filter((_, at) => !OF_ONE_CONNECTION.includes(raw[at - (at % 2)]!.toLowerCase()));
}

/** Where no other user of the machine gets in: requests that come here have been checked by the worker that passes them on. */
export async function listenInside(server: Server, place: WorkerPlace, name: number | 'port'): Promise<Server> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath(place, name === 'port' ? `${place.slot}-port` : name), resolve);
  });
  return server;
}

export function socketPath({ folder }: Pick<WorkerPlace, 'folder'>, name: number | string): string {
  if (process.platform !== 'win32') return join(folder, `${name}.sock`);
  return `\\\\.\\pipe\\${folder.replaceAll(/[^\w]/g, '-')}-${name}`;
}

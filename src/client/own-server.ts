import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { Socket } from 'node:net';
import { isObject, parseJson } from '../model/json-text.ts';
import { type RunningServer, readServer } from './running-server.ts';

/** Where a server shows that it can read the folder in which its address lies. Anyone may ask: the answer says nothing else. */
export const PROOF_PATH = '/health/proof';
const NONCE = /^[0-9a-f]{32}$/;
const MOST_CHARS = 64 << 10;

/** Null where this is no question, or where no server has left its address. */
export function answerProof(spool: string, nonce: string | undefined): string | null {
  if (nonce === undefined || !NONCE.test(nonce)) return null;
  const server = readServer(spool);
  return server?.secret == null ? null : makeProof(server.secret, nonce, server.url);
}

/** Bound to the address: whoever listens elsewhere cannot pass on what the server answered. */
function makeProof(secret: string, nonce: string, url: string): string {
  return createHmac('sha256', secret).update(`ltm server\n${nonce}\n${url}`).digest('hex');
}

export interface Answer {
  status: number | undefined;
  text: string;
}

/** One connection, to a server that has proved on it that it is the one that left its address. It is never opened anew. */
export interface OwnConnection {
  ask(method: 'GET' | 'POST', path: string, body?: { json: string; token: string }): Promise<Answer>;
  close(): void;
}

/** `absent`: nobody listens there, or somebody else. `silent`: whoever listens does not answer in time. */
export type Reached = OwnConnection | 'absent' | 'silent';

/** Asks whoever listens there for a proof, and tells them nothing before. A pid or a port may be another program's by now. */
export async function reachOwnServer(server: RunningServer, timeoutMs: number): Promise<Reached> {
  const { secret, url } = server;
  if (secret === null) return 'absent';
  const until = performance.now() + timeoutMs;
  const connection = await connect(url, until);
  const nonce = randomBytes(16).toString('hex');
  const answer = await connection.ask('GET', `${PROOF_PATH}?nonce=${nonce}`).catch((error) => error as Error);
  if (!(answer instanceof Error) && isProof(answer, makeProof(secret, nonce, url))) return connection;
  connection.close();
  return answer instanceof OutOfTime ? 'silent' : 'absent';
}

/** Whether the server that left its address answers there. */
export async function isOwnServer(server: RunningServer, timeoutMs: number): Promise<boolean> {
  const reached = await reachOwnServer(server, timeoutMs);
  if (typeof reached === 'string') return false;
  reached.close();
  return true;
}

function isProof({ status, text }: Answer, expected: string): boolean {
  const said = status === 200 ? parseJson(text) : null;
  if (!isObject(said) || typeof said.proof !== 'string' || said.proof.length !== expected.length) return false;
  return timingSafeEqual(Buffer.from(said.proof, 'latin1'), Buffer.from(expected, 'latin1'));
}

export class OutOfTime extends Error {}

async function connect(address: string, until: number): Promise<OwnConnection> {
  const base = new URL(address);
  const { request, Agent } = base.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const open = agent.createConnection.bind(agent);
  let isOpened = false;
  agent.createConnection = (options, done) => {
    if (!isOpened) {
      isOpened = true;
      return open(options, done);
    }
    queueMicrotask(() => done?.(new Error('The connection was closed.'), new Socket()));
    return undefined;
  };
  return {
    close: () => agent.destroy(),
    ask: (method, path, body) =>
      new Promise((resolve, reject) => {
        const options: RequestOptions = {
          method,
          agent,
          ...(body !== undefined && { headers: headersOf(body.token) }),
        };
        const asked = request(new URL(path, base), options, (response) => read(response));
        const timer = setTimeout(() => asked.destroy(new OutOfTime()), Math.max(0, until - performance.now()));
        const end = (settle: () => void): void => {
          clearTimeout(timer);
          settle();
        };
        const read = (response: IncomingMessage): void => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => {
            text += chunk;
            if (text.length > MOST_CHARS) asked.destroy(new Error('The answer is too long.'));
          });
          response.on('end', () => end(() => resolve({ status: response.statusCode, text })));
          response.on('error', (error) => end(() => reject(error)));
        };
        asked.on('error', (error) => end(() => reject(error)));
        asked.end(body?.json);
      }),
  };
}

function headersOf(token: string): Record<string, string> {
  return { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
}

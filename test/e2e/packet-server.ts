import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { makePacket } from '../make-packet.ts';
import { PLAIN_ENV, PROGRAM } from './program.ts';
import { startServe } from './serve-process.ts';

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** One command of `ltm`, in a home of its own, with nothing else in its environment. */
export async function runLtm(
  home: string,
  words: readonly string[],
  options: { input?: string | Uint8Array; env?: Record<string, string> } = {},
): Promise<Ran> {
  const env = { ...PLAIN_ENV, HOME: home, ...options.env };
  const child = spawn(process.execPath, [PROGRAM, ...words], { cwd: home, env, stdio: 'pipe' });
  child.stdin.on('error', () => {}); // a command that refuses at once does not read its input
  child.stdin.end(options.input ?? '');
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number]>,
  ]);
  return { code, stdout, stderr };
}

export interface Answered {
  status: number;
  headers: Headers;
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of the program under test, read as a client would
  json: any;
}

export interface PacketServer {
  url: string;
  folder: string;
  owner: string;
  call(
    method: string,
    path: string,
    call?: {
      token?: string | null;
      body?: string | Uint8Array<ArrayBuffer> | object;
      headers?: Record<string, string>;
    },
  ): Promise<Answered>;
  /** Somebody new, by way of an invite of the owner's; their token. */
  newcomer(display: string): Promise<{ token: string; id: string }>;
  /** A home for `ltm` with nothing in it. */
  home(): string;
  log(): string;
  close(): Promise<void>;
}

export async function startPacketServer(args: readonly string[] = []): Promise<PacketServer> {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-packets-'));
  const server = await startServe(folder, ['--db', join(folder, 'memory.db'), ...args]);
  const owner = readFileSync(join(folder, 'owner-token'), 'utf8').trim();
  const call: PacketServer['call'] = async (method, path, { token = owner, body, headers = {} } = {}) => {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array || body === undefined;
    const response = await fetch(`${server.url}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...headers },
      ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
    });
    const answer = await response.text();
    return { status: response.status, headers: response.headers, body: answer, json: parse(answer) };
  };
  let homes = 0;
  return {
    url: server.url,
    folder,
    owner,
    call,
    async newcomer(display) {
      await call('POST', '/v1/teams', { body: { name: 'everybody' } });
      const { json: invite } = await call('POST', '/v1/teams/everybody/invites');
      const { json } = await call('POST', `/v1/invites/${invite.code}/accept`, { token: null, body: { display } });
      return { token: json.token, id: json.user.id };
    },
    home() {
      const home = join(folder, `home-${homes++}`);
      mkdirSync(home);
      return home;
    },
    log: server.log,
    async close() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What `ltm` needs to use this server: the same that `ltm auth` would write. */
export function signedIn({ url }: Pick<PacketServer, 'url'>, token: string): { env: Record<string, string> } {
  return { env: { LTM_HOST: url, LTM_TOKEN: token } };
}

export function packetText(more: Parameters<typeof makePacket>[0] | Record<string, unknown> = {}): string {
  return JSON.stringify({ ...makePacket(), ...more });
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null; // pages and plain texts
  }
}

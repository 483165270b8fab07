import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, SSEClientTransport } from '@modelcontextprotocol/client';
import type { Answer } from './mcp-process.ts';
import { PLAIN_ENV, PROGRAM } from './program.ts';

export interface ServeProcess {
  url: string;
  folder: string;
  pid: number;
  /** What it logged so far. */
  log(): string;
  stop(): Promise<void>;
}

/** `ltm serve` as a process of its own, in a folder of its own, on a free port; with an environment that has nothing else in it. */
export async function startServe(
  folder: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
  port = '0',
): Promise<ServeProcess> {
  const child = spawnServe(folder, args, env, port);
  let log = '';
  let out = '';
  child.stderr!.on('data', (chunk) => (log += chunk));
  const started = new Promise<{ url: string }>((resolve, reject) => {
    child.stdout!.on('data', (chunk) => {
      out += chunk;
      const json = parse(out);
      if (json !== null) resolve(json);
    });
    child.once('exit', (code) => reject(new Error(`ltm serve ended with ${code}: ${log}`)));
  });
  const { url } = await started;
  return { url, folder, pid: child.pid!, log: () => log, stop: () => end(child) };
}

/** For starts that must fail. */
export async function failServe(
  folder: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
  port = '0',
): Promise<{ code: number; output: string }> {
  const child = spawnServe(folder, args, env, port);
  let output = '';
  child.stderr!.on('data', (chunk) => (output += chunk));
  child.stdout!.on('data', (chunk) => (output += chunk));
  const [code] = (await once(child, 'exit')) as [number];
  return { code, output };
}

export function makeServeFolder(tokens: Record<string, string> | null): string {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-serve-'));
  if (tokens !== null) writeTokens(folder, tokens);
  return folder;
}

export function writeTokens(folder: string, tokens: Record<string, string>): void {
  writeFileSync(join(folder, 'user_tokens.json'), JSON.stringify(tokens), { mode: 0o600 });
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

export interface SseClient {
  client: Client;
  /** The structured part of a call that succeeds. */
  call(tool: string, args?: Record<string, unknown>): Promise<Answer>;
  invoke(tool: string, args?: Record<string, unknown>): Promise<Answer>;
  close(): Promise<void>;
}

/** The SDK's client of the older transport, with a bearer header, as VS Code's `type: "sse"` entries use it. */
export async function connectSse(url: string, token: string): Promise<SseClient> {
  const client = new Client({ name: 'sse-test', version: '1' });
  await client.connect(
    new SSEClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }),
  );
  const invoke = async (tool: string, args = {}): Promise<Answer> =>
    (await client.callTool({ name: tool, arguments: args })) as Answer;
  return {
    client,
    invoke,
    async call(tool, args) {
      const result = await invoke(tool, args);
      if (result.isError) throw new Error(`${tool} failed: ${JSON.stringify(result.content)}`);
      return result.structuredContent;
    },
    close: () => client.close(),
  };
}

function spawnServe(folder: string, args: readonly string[], env: Record<string, string>, port = '0'): ChildProcess {
  const base = { ...PLAIN_ENV, HOME: folder };
  return spawn(process.execPath, [PROGRAM, 'serve', '--json', '--port', port, ...args], {
    cwd: folder,
    env: { ...base, ...env },
    stdio: 'pipe',
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

function parse(text: string): { url: string } | null {
  try {
    return JSON.parse(text) as { url: string };
  } catch {
    return null; // not all of it is there yet
  }
}

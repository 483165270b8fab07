import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';

const RUNTIMES = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'runtimes');
const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'runtime', version: '1' } };

/** Something that can run the program: a Node or a Bun. */
export interface Runtime {
  name: 'node' | 'bun';
  path: string;
  version: string;
  /** Of the SQLite in it. */
  sqlite: string;
}

/** Those on the PATH, and those that `npm run runtimes` has installed; each version once. */
export function findRuntimes(): Runtime[] {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const kept = existsSync(RUNTIMES) ? readdirSync(RUNTIMES).map((name) => join(RUNTIMES, name)) : [];
  const paths = [
    process.execPath,
    ...[...folders, ...kept].flatMap((folder) => [join(folder, 'node'), join(folder, 'bun')]),
  ];
  const found = new Map<string, Runtime>();
  for (const path of new Set(paths.filter((path) => existsSync(path)).map((path) => realpathSync(path)))) {
    const runtime = describeRuntime(path);
    if (runtime !== null && !found.has(nameOf(runtime))) found.set(nameOf(runtime), runtime);
  }
  return [...found.values()];
}

export function nameOf({ name, version }: Runtime): string {
  return `${name === 'bun' ? 'Bun' : 'Node'} ${version}`;
}

export function describeRuntime(path: string): Runtime | null {
  const script =
    'const v=process.versions;console.log(JSON.stringify([v.bun?"bun":"node",v.bun||v.node,v.sqlite||"none"]))';
  const { stdout, status } = spawnSync(path, ['-e', script], { encoding: 'utf8' });
  if (status !== 0) return null;
  const [name, version, sqlite] = JSON.parse(stdout);
  return { name, path, version, sqlite };
}

/** As `engines` of the package says. */
export function isSupported({ name, version }: Runtime): boolean {
  if (name === 'bun') return true;
  const [major, minor, patch] = version.split('.').map(Number) as [number, number, number];
  if (major === 22) return minor > 22 || (minor === 22 && patch >= 3);
  if (major === 24) return minor >= 15;
  return major > 25 || (major === 25 && minor >= 9);
}

export interface Use {
  runtime: Runtime;
  program: string;
  /** An empty folder. */
  home: string;
}

function envOf({ home }: Use): Record<string, string> {
  mkdirSync(home, { recursive: true });
  return { PATH: process.env.PATH ?? '', HOME: home };
}

function run(use: Use, ...words: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(use.runtime.path, [use.program, ...words], { env: envOf(use), encoding: 'utf8', cwd: use.home });
}

/** Stored, found by what it means, deleted, undone, examined; and nothing was said on stderr that a person would wonder about. */
export function useCommands(use: Use): void {
  const ltm = (...words: string[]): string => {
    const { status, stdout, stderr } = run(use, ...words, '--quiet');
    assert.deepEqual([status, stderr], [0, ''], words.join(' '));
    return stdout;
  };
  const { memory } = JSON.parse(ltm('store', 'Login fails when the token cache is cold: retry once', '--json'));
  ltm('store', 'Staging runs on port 8443');
  const find = (): string => JSON.parse(ltm('search', 'cannot sign in', '--json')).hits[0].id;
  assert.equal(find(), memory.id);
  ltm('delete', memory.id, '--yes');
  ltm('restore', memory.id);
  assert.equal(find(), memory.id);
  assert.match(ltm('doctor'), /Everything is sound/);
}

/** The handshake, the list of tools and a search, as an agent's client sends them. */
export async function useMcp(use: Use): Promise<void> {
  const child = spawn(use.runtime.path, [use.program, 'mcp'], { env: envOf(use), cwd: use.home });
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (id: number, method: string, params: object): Promise<string> => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const { value, done } = await lines.next();
    assert.notEqual(done, true, `${method}: ended. ${errors}`);
    return value as string;
  };
  assert.match(await ask(1, 'initialize', INITIALIZE), /"name":"ltm"/);
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  assert.match(await ask(2, 'tools/list', {}), /memory_search/);
  await ask(3, 'tools/call', { name: 'memory_store', arguments: { content: 'Invoices go out on Fridays' } });
  const found = await ask(4, 'tools/call', {
    name: 'memory_search',
    arguments: { query: 'when do we bill customers' },
  });
  assert.match(found, /Invoices go out on Fridays/);
  const ended = once(child, 'exit');
  child.stdin.end();
  assert.deepEqual([(await ended)[0], errors], [0, '']);
}

/** Answers over HTTP and stops in order. */
export async function useServer(use: Use): Promise<void> {
  const words = ['serve', '--port', '0', '--json', '--log-level', 'error'];
  const child = spawn(use.runtime.path, [use.program, ...words], { env: envOf(use), cwd: use.home });
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  const early = once(child, 'exit').then(([code]) => assert.fail(`ended with ${code}: ${errors}`));
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), early])) as [string];
  const { url, token } = JSON.parse(line);
  const headers = { authorization: `Bearer ${token}` };
  assert.equal((await fetch(`${url}/api/v1/memories`)).status, 401);
  assert.equal((await fetch(`${url}/api/v1/search?q=port`, { headers })).status, 200);
  early.catch(() => {});
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  assert.deepEqual([(await ended)[0], errors], [0, '']);
}

/** An event of an agent is taken in, and the hook says nothing. */
export function useHook(use: Use): void {
  const event = {
    hook_event_name: 'UserPromptSubmit',
    session_id: 's1',
    cwd: use.home,
    prompt: 'Which port has staging?',
  };
  const hook = join(use.program, '..', 'ltm-hook.js');
  const words = [hook, '--agent', 'claude-code'];
  const { status, stderr } = spawnSync(use.runtime.path, words, {
    env: envOf(use),
    input: JSON.stringify(event),
    encoding: 'utf8',
  });
  assert.deepEqual([status, stderr], [0, '']);
  // What another process is just taking in is there a moment later.
  const count = (): number => JSON.parse(run(use, 'sessions', '--json').stdout).sessions.length;
  assert.ok([1, 2, 3, 4, 5].some(() => count() === 1));
}

/** Below the floor: exit code 1, nothing on stdout, and one line that says what is needed. */
export function meetFloor(use: Use): void {
  const { status, stdout, stderr } = run(use, 'mcp');
  assert.deepEqual([status, stdout], [1, '']);
  assert.equal(
    stderr,
    `ltm needs Node 22.22.3, 24.15, 25.9 or newer, this is ${use.runtime.version}: see https://nodejs.org.\n`,
  );
}

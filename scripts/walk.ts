// Walks: what of the program runs for one command, one call or one event, by a copy of the sources in which every function says that it was called.
//   npm run walks                           every walk: files in which something runs, features and compat folders entered, calls that build flags
//   npm run walks -- --only search,store    these walks
//   npm run walks -- --files                and the files, a line each
//   npm run walks -- --tree ../base --homes map.tsv    another tree, whose files have the homes that a table names (path, folder)
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseSync } from 'oxc-parser';

const MEMORIES = 6;
const FLAG_BUILDER = 'verb-command.ts';
const { values: options } = parseArgs({
  options: {
    tree: { type: 'string', default: join(import.meta.dirname, '..') },
    homes: { type: 'string' },
    only: { type: 'string' },
    files: { type: 'boolean', default: false },
  },
});

/** Calls by file. */
type Calls = Map<string, number>;
interface Walk {
  readonly name: string;
  walk(home: Home): Promise<void> | void;
}

/** Runs in every process and worker of the copy: counts, and writes down at the end, or at a signal, what was called since the last time. */
const COUNTER = `
const { writeFileSync } = require('node:fs');
const { threadId } = require('node:worker_threads');
let calls = Object.create(null);
let written = 0;
globalThis.__walk = (file) => { calls[file] = (calls[file] ?? 0) + 1; };
const write = () => {
  if (process.env.WALKS_FOLDER) writeFileSync(process.env.WALKS_FOLDER + '/' + process.pid + '-' + threadId + '-' + written++ + '.json', JSON.stringify(calls));
  calls = Object.create(null);
};
process.on('exit', write);
if (threadId === 0) process.on('SIGUSR2', write);
`;

function listWalks(): Walk[] {
  const command =
    (...words: string[]) =>
    (home: Home) => {
      home.fill();
      home.run(words);
    };
  return [
    { name: 'search', walk: command('search', 'where does Keiko live') },
    { name: 'store', walk: command('store', 'Keiko lives in Galway.', '--tags', 'people') },
    { name: 'list', walk: command('list', '--limit', '1') },
    { name: 'context', walk: command('context') },
    { name: 'sessions', walk: command('sessions') },
    { name: 'sync status', walk: command('sync', 'status') },
    {
      name: 'store over MCP HTTP',
      walk: async (home) => {
        home.fill();
        await home.serve(async (url, token) => {
          const session = await openSession(url, token);
          home.forget();
          await callTool(url, token, session, 'memory_store', { content: 'Keiko lives in Galway.' });
        });
      },
    },
    {
      name: '401 to first tool call',
      walk: async (home) => {
        home.fill();
        await home.serve(async (url, token) => {
          home.forget();
          const refused = await fetch(url, { method: 'POST', headers: JSON_HEADERS, body: '{}' });
          if (refused.status !== 401) throw new Error(`A call without a token was answered with ${refused.status}.`);
          await callTool(url, token, await openSession(url, token), 'memory_search', { query: 'Keiko' });
        });
      },
    },
    {
      name: 'event to digest to context',
      walk: (home) => {
        home.fill();
        for (const event of EVENTS) home.hook({ session_id: 'walk', cwd: home.folder, ...event });
        home.run(['context']);
      },
    },
  ];
}

const EVENTS = [
  { hook_event_name: 'SessionStart', source: 'startup' },
  { hook_event_name: 'UserPromptSubmit', prompt: 'Move Keiko to Galway, and decide which bus she takes.' },
  {
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_use_id: 'u1',
    tool_input: { command: 'npm test' },
    tool_response: { stdout: 'ok 1', stderr: '', interrupted: false },
  },
  { hook_event_name: 'Stop', last_assistant_message: 'We decided that Keiko takes bus 404.' },
  { hook_event_name: 'SessionEnd', reason: 'exit' },
];
const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

async function openSession(url: string, token: string): Promise<Record<string, string>> {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'walk', version: '1' } },
  };
  const answer = await post(url, token, {}, body);
  const id = answer.headers.get('mcp-session-id');
  return { 'mcp-protocol-version': '2025-06-18', ...(id === null ? {} : { 'mcp-session-id': id }) };
}

async function callTool(url: string, token: string, session: Record<string, string>, name: string, input: object) {
  const body = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name, arguments: input } };
  const text = await (await post(url, token, session, body)).text();
  if (!text.includes('"result"')) throw new Error(`${name} was answered with ${text}`);
}

async function post(url: string, token: string, headers: Record<string, string>, body: object): Promise<Response> {
  const authorization = `Bearer ${token}`;
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...JSON_HEADERS, ...headers, authorization },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

/** A person's home for one walk, in which nothing has happened yet. */
class Home {
  readonly folder = mkdtempSync(join(tmpdir(), 'ltm-walk-home-'));
  readonly #program: string;
  readonly #calls = join(this.folder, 'calls');
  #server: ChildProcess | undefined;

  constructor(program: string) {
    this.#program = program;
    mkdirSync(this.#calls);
    mkdirSync(join(this.folder, 'data'));
  }

  /** Stores the memories that a walk finds, and forgets what ran for it. */
  fill(): void {
    for (let i = 0; i < MEMORIES; i++) this.run(['store', `Note ${i}: Keiko took bus ${400 + i} to the harbour.`]);
    this.#clear();
  }

  run(words: readonly string[]): void {
    this.#start([join(this.#program, 'bin/ltm.js'), ...words]);
  }

  hook(event: object): void {
    this.#start([join(this.#program, 'bin/ltm-hook.js'), '--agent', 'claude-code'], JSON.stringify(event));
  }

  #start(words: readonly string[], input = ''): void {
    const done = spawnSync(process.execPath, words, { env: this.#env(), cwd: this.folder, input, encoding: 'utf8' });
    if (done.status !== 0)
      throw new Error(`${words.join(' ')} ended with ${done.status}: ${done.stdout}${done.stderr}`);
  }

  async serve(use: (url: string, token: string) => Promise<void>): Promise<void> {
    const port = await findPort();
    const words = [join(this.#program, 'bin/ltm.js'), 'serve', '--port', String(port)];
    this.#server = spawn(process.execPath, words, { env: this.#env(), cwd: this.folder, stdio: 'ignore' });
    const url = `http://127.0.0.1:${port}`;
    for (let i = 0; !(await isUp(`${url}/api/v1/health`)); i++) {
      if (i > 300) throw new Error('The server did not start.');
      await pause(100);
    }
    const token = globSync(join(this.folder, 'data', '*token*')).map((file) => readFileSync(file, 'utf8').trim())[0];
    if (token === undefined) throw new Error('There is no token beside the database.');
    await use(`${url}/mcp`, token);
    this.#server.kill('SIGUSR2');
    await pause(200);
  }

  /** What the server did until now is no part of the walk. */
  forget(): void {
    this.#server!.kill('SIGUSR2');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    this.#clear();
  }

  #clear(): void {
    for (const file of readdirSync(this.#calls)) rmSync(join(this.#calls, file));
  }

  readCalls(): Calls {
    const calls: Calls = new Map();
    for (const file of readdirSync(this.#calls)) {
      const part: Record<string, number> = JSON.parse(readFileSync(join(this.#calls, file), 'utf8'));
      for (const [name, count] of Object.entries(part)) calls.set(name, (calls.get(name) ?? 0) + count);
    }
    return calls;
  }

  async remove(): Promise<void> {
    if (this.#server !== undefined && this.#server.exitCode === null) {
      this.#server.kill('SIGKILL');
      await once(this.#server, 'exit');
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  #env(): NodeJS.ProcessEnv {
    const database = join(this.folder, 'data', 'ltm.db');
    const kept = Object.entries(process.env).filter(([name]) => !/^(LTM|LONGMEM|MCP|XDG|NODE)_/.test(name));
    const require = `--require=${join(this.#program, 'counter.cjs')}`;
    return {
      ...Object.fromEntries(kept),
      HOME: this.folder,
      LTM_DB: database,
      WALKS_FOLDER: this.#calls,
      NODE_OPTIONS: require,
    };
  }
}

async function isUp(url: string): Promise<boolean> {
  try {
    await fetch(url);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

/** Copies the program, with a call at the head of every function of `src/`. All else is a link. */
function instrument(from: string, to: string): void {
  for (const name of readdirSync(from)) {
    if (name === 'src' || name === 'bin' || name === 'dist' || name === '.git') continue;
    symlinkSync(join(from, name), join(to, name));
  }
  cpSync(join(from, 'bin'), join(to, 'bin'), { recursive: true });
  writeFileSync(join(to, 'counter.cjs'), COUNTER);
  for (const file of globSync('src/**/*', { cwd: from, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    const target = join(to, path.slice(from.length));
    mkdirSync(join(target, '..'), { recursive: true });
    if (!file.name.endsWith('.ts') || file.name.endsWith('.test.ts')) cpSync(path, target);
    else writeFileSync(target, withCalls(path.slice(from.length + 1), readFileSync(path, 'utf8')));
  }
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly body?: Node | readonly Node[] | null;
  readonly expression?: boolean;
}

function withCalls(file: string, text: string): string {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]!.message}`);
  const call = `globalThis.__walk?.(${JSON.stringify(file)})`;
  const added: { at: number; text: string }[] = [];
  visit(program, (node) => {
    const { body } = node;
    if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) return;
    if (body === null || body === undefined || 'length' in body) return;
    if (body.type === 'BlockStatement' || body.type === 'FunctionBody') {
      added.push({ at: body.start + 1, text: `${call};` });
    } else {
      const isWrapped = text[body.start] !== '(' && /\(\s*$/.test(text.slice(0, body.start));
      added.push({ at: body.start, text: isWrapped ? `${call}, ` : `(${call}, ` });
      if (!isWrapped) added.push({ at: body.end, text: ')' });
    }
  });
  added.sort((a, b) => b.at - a.at);
  let out = text;
  for (const { at, text: piece } of added) out = out.slice(0, at) + piece + out.slice(at);
  return out;
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, see);
  else if (typeof value === 'object' && value !== null) {
    if (isNode(value)) see(value);
    for (const item of Object.values(value)) visit(item, see);
  }
}

function isNode(value: object): value is Node {
  return 'type' in value && typeof value.type === 'string' && 'start' in value && typeof value.start === 'number';
}

function readHomes(file: string): Map<string, string> {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return new Map(lines.map((line) => line.split('\t')).map(([path, folder]) => [path!, folder!]));
}

function tell(name: string, calls: Calls, homes: Map<string, string> | null): void {
  const files = [...calls.keys()].sort();
  const entered = new Map<string, number>();
  for (const file of files) {
    const room = /^src\/((?:features|compat)\/[^/]+)\//.exec(`${homes?.get(file) ?? file}/`)?.[1];
    if (room !== undefined && !room.endsWith('.ts')) entered.set(room, (entered.get(room) ?? 0) + 1);
  }
  const flags = files.filter((file) => file.endsWith(FLAG_BUILDER)).reduce((sum, file) => sum + calls.get(file)!, 0);
  console.log(`| ${name} | ${files.length} | ${entered.size} | ${flags} |`);
  if (!options.files) return;
  for (const [room, count] of entered) console.log(`    ${room} ${count}`);
  for (const file of files) console.log(`    ${file} ${calls.get(file)}`);
}

async function main(): Promise<void> {
  const source = resolve(options.tree);
  const copy = mkdtempSync(join(tmpdir(), 'ltm-walk-'));
  try {
    instrument(source, copy);
    const homes = options.homes === undefined ? null : readHomes(options.homes);
    const only = options.only?.split(',');
    console.log('| walk | files | features and compat | flag calls |\n|---|---:|---:|---:|');
    for (const { name, walk } of listWalks()) {
      if (only !== undefined && !only.includes(name)) continue;
      const home = new Home(copy);
      try {
        await walk(home);
        tell(name, home.readCalls(), homes);
      } finally {
        await home.remove();
      }
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

await main();

// The doors of a server through which texts of others come, and how long each of them holds up its event loop.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { zstdCompressSync } from 'node:zlib';
import { PLAIN_ENV, PROGRAM } from '../e2e/program.ts';
import { makeServeFolder, removeFolder, startServe } from '../e2e/serve-process.ts';
import type { Stretch } from './loop-probe.ts';
import { exportOf, lineOfExchange } from './travelling-texts.ts';

/** What a server takes in one body is a megabyte of bytes. */
const MOST_BYTES = 1_000_000;

type Ask = (path: string, body: unknown, headers?: Record<string, string>, method?: string) => Promise<string>;

export interface Door {
  name: string;
  send(text: string, ask: Ask): Promise<unknown>;
}

const tool = (name: string, args: object): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});
let sent = 0;
const JSON_BODY = { 'content-type': 'application/json' };

const LINES = { 'content-type': 'application/x-ndjson' };
const PACKED_LINES = { ...LINES, 'content-encoding': 'zstd' };
const packed = (text: string): Uint8Array => new Uint8Array(zstdCompressSync(Buffer.from(text)));

/** Two long memories, for what is done with what is there. */
async function storeTwo(text: string, ask: Ask): Promise<string[]> {
  const ids: string[] = [];
  for (const content of [`${sent++} ${text}`, `${sent++} ${text.slice(text.length >> 1)}`]) {
    const stored = await ask('/api/v1/memories', { content });
    ids.push(/"id":"([^"]+)"/.exec(stored)?.[1] ?? 'none');
  }
  return ids;
}

export const DOORS: readonly Door[] = [
  { name: 'memory_store', send: (content, ask) => ask('/mcp', tool('memory_store', { content })) },
  {
    name: 'memory_search',
    send: (text, ask) => ask('/mcp', tool('memory_search', { query: text.slice(0, 4000) })),
  },
  { name: 'message', send: (text, ask) => ask('/mcp', text) },
  {
    name: 'store over REST',
    send: (text, ask) =>
      ask('/api/v1/memories', {
        content: text.slice(0, text.length >> 1),
        tags: text.slice(0, 5000).split('\n'),
        metadata: { text: text.slice(text.length >> 1) },
      }),
  },
  {
    name: 'observe',
    send: (text, ask) =>
      ask('/observe', {
        session_id: `s${sent++}`,
        tool_name: 'Bash',
        tool_input: { command: text.slice(0, text.length >> 1) },
        tool_response: text.slice(text.length >> 1),
      }),
  },
  {
    name: 'session events',
    send: (text, ask) =>
      ask('/api/v1/session-events', {
        events: [
          {
            key: `k${sent++}`,
            event: 'prompt',
            at: 1_790_000_000_000,
            agent: 'codex',
            session: `s${sent}`,
            project: 'web',
            directory: '/home/me/web',
            text: `${text} #remember`,
          },
        ],
      }),
  },
  { name: 'packet', send: (text, ask) => ask('/v1/packets', text) },
  {
    name: 'packet with a goal',
    send: (text, ask) =>
      ask('/v1/packets', {
        ltm_version: '0.2',
        id: `packet-${String(sent++).padStart(8, '0')}`,
        created_at: '2026-01-31T16:45:00Z',
        goal: text.slice(0, text.length >> 1),
        next_step: text.slice(text.length >> 1),
      }),
  },
  {
    name: 'document',
    send: (text, ask) => ask(`/api/v1/documents?name=a${sent++}.md`, text, { 'content-type': 'text/markdown' }),
  },
  {
    name: 'change',
    async send(text, ask) {
      const [id] = await storeTwo(text, ask);
      await ask(`/api/v1/memories/${id}`, { content: `${text.slice(1)} changed` }, JSON_BODY, 'PATCH');
      await ask('/mcp', tool('memory_get', { ids: [id] }));
    },
  },
  {
    name: 'memory_resolve',
    async send(text, ask) {
      const [winner, loser] = await storeTwo(text, ask);
      await ask('/mcp', tool('memory_resolve', { winner, loser, reason: text.slice(0, 1000) }));
    },
  },
  {
    name: 'reject',
    async send(text, ask) {
      const ids = await storeTwo(text, ask);
      await ask('/api/v1/memories/reject', { ids, note: text.slice(0, 1000) });
    },
  },
  {
    name: 'merge',
    async send(text, ask) {
      const refs = await storeTwo(text, ask);
      await ask('/api/v1/memories/merge', { refs, content: `${sent++} ${text}` });
    },
  },
  {
    name: 'context',
    send: (text, ask) =>
      ask('/api/v1/context', { project: 'web', session: `c${sent++}`, prompt: text.slice(0, 100_000) }),
  },
  {
    name: 'note',
    async send(text, ask) {
      const made = await ask('/api/v1/workspaces', { machine: 'laptop', tool: 'claude-code', project: 'shop' });
      const { workspace_id, write_token } = JSON.parse(made) as Record<'workspace_id' | 'write_token', string>;
      const body = { write_token, path: 'plan.md', content: text };
      await ask(`/api/v1/workspaces/${workspace_id}/note`, body, JSON_BODY, 'PUT');
    },
  },
  { name: 'memory_conflicts', send: (_text, ask) => ask('/mcp', tool('memory_conflicts', {})) },
  {
    name: 'memory_graph',
    send: (text, ask) => ask('/mcp', tool('memory_graph', { action: 'connected', ref: text.slice(0, 200) })),
  },
  { name: 'exchange', send: (text, ask) => ask('/api/v1/sync/changes?link=x', packed(text), PACKED_LINES) },
  {
    name: 'exchange of a memory',
    send: (text, ask) => ask('/api/v1/sync/changes?link=x', packed(lineOfExchange(text)), PACKED_LINES),
  },
  { name: 'import', send: (text, ask) => ask('/api/v1/import', `{"format":"ltm-export","version":1}\n${text}`, LINES) },
  { name: 'import of a memory', send: (text, ask) => ask('/api/v1/import', exportOf(`${sent++} ${text}`), LINES) },
];

export interface TestedServer {
  /** The longest step while this came through the door. */
  measure(door: Door, text: string): Promise<Stretch>;
  stop(): Promise<void>;
}

/** With a rejection in its space, so that everything that is stored is compared with it. */
export async function openTestedServer({ withStacks = false } = {}): Promise<TestedServer> {
  const folder = makeServeFolder({ 'a-token': 'a' });
  const probe = join(folder, 'probe');
  const server = await startServe(
    folder,
    [
      ['--db', join(folder, 'memory.db'), '--tokens-file', 'user_tokens.json', '--log-level', 'error'],
      ['--reads-per-minute', '0', '--writes-per-minute', '0'],
    ].flat(),
    {
      NODE_OPTIONS: `--import=${new URL('./loop-probe.ts', import.meta.url)}`,
      LTM_TEST_LOOP_PROBE: probe,
      ...(withStacks && { LTM_TEST_LOOP_STACKS: 'yes' }),
    },
  );
  const headers = {
    authorization: `Bearer ${createToken(folder)}`,
    accept: 'application/json, text/event-stream',
  };
  const ask: Ask = async (path, body, more = JSON_BODY, method = 'POST') => {
    const response = await fetch(server.url + path, {
      method,
      headers: { ...headers, ...more },
      body:
        typeof body === 'string' || body instanceof Uint8Array ? (body as RequestInit['body']) : JSON.stringify(body),
    }).catch(() => null); // a body that is too large is not read to its end
    return (await response?.text().catch(() => '')) ?? '';
  };
  const readProbe = async (): Promise<Stretch> => {
    rmSync(`${probe}.new`, { force: true });
    writeFileSync(`${probe}.asked`, '');
    while (!existsSync(`${probe}.new`) || existsSync(`${probe}.asked`)) await sleep(2);
    return JSON.parse(readFileSync(`${probe}.new`, 'utf8')) as Stretch;
  };
  const stored = await ask('/api/v1/memories', { content: 'The staging port is 8080, said Keiko.' });
  const { memory } = JSON.parse(stored) as { memory: { id: string } };
  const rejected = await ask('/api/v1/memories/reject', { ids: [memory.id], note: 'wrong' });
  if (!rejected.includes(memory.id)) throw new Error(rejected);
  for (const door of DOORS) await door.send('What is sent first loads much of the program.', ask);
  await sleep(500);
  return {
    async measure({ send }, text) {
      await readProbe();
      await send(fit(text), ask);
      await sleep(100);
      return readProbe();
    },
    async stop() {
      await server.stop();
      removeFolder(folder);
    },
  };
}

/** One that may do everything: those of a file may not import. */
function createToken(folder: string): string {
  const db = join(folder, 'memory.db');
  const args = ['tokens', 'create', 'fuzz', '--user', 'a', '--role', 'person', '--db', db, '--json'];
  const env = { ...PLAIN_ENV, HOME: folder };
  const { value } = JSON.parse(
    execFileSync(process.execPath, [PROGRAM, ...args], { env, encoding: 'utf8', stdio: 'pipe' }),
  ) as {
    value: string;
  };
  return value;
}

/** As JSON no longer than a server takes. */
function fit(text: string): string {
  const bytes = Buffer.byteLength(JSON.stringify(text));
  return bytes <= MOST_BYTES ? text : text.slice(0, Math.floor((text.length * MOST_BYTES) / bytes));
}

// The doors of a server through which texts of others come, and how long each of them holds up its event loop.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { zstdCompressSync } from 'node:zlib';
import { makeServeFolder, removeFolder, startServe } from '../e2e/serve-process.ts';
import type { Stretch } from './loop-probe.ts';

/** What a server takes in one body is a megabyte of bytes. */
const MOST_BYTES = 1_000_000;

type Ask = (path: string, body: unknown, headers?: Record<string, string>) => Promise<string>;

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
    name: 'document',
    send: (text, ask) => ask(`/api/v1/documents?name=a${sent++}.md`, text, { 'content-type': 'text/markdown' }),
  },
  { name: 'memory_conflicts', send: (_text, ask) => ask('/mcp', tool('memory_conflicts', {})) },
  {
    name: 'memory_graph',
    send: (text, ask) => ask('/mcp', tool('memory_graph', { action: 'connected', ref: text.slice(0, 200) })),
  },
  {
    name: 'exchange',
    send: (text, ask) =>
      ask('/api/v1/sync/changes?link=x', new Uint8Array(zstdCompressSync(Buffer.from(text))), {
        'content-type': 'application/x-ndjson',
        'content-encoding': 'zstd',
      }),
  },
  { name: 'import', send: (text, ask) => ask('/api/v1/import', `{"format":"ltm-export","version":1}\n${text}`) },
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
    authorization: 'Bearer a-token',
    accept: 'application/json, text/event-stream',
  };
  const ask: Ask = async (path, body, more = { 'content-type': 'application/json' }) => {
    const response = await fetch(server.url + path, {
      method: 'POST',
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

/** As JSON no longer than a server takes. */
function fit(text: string): string {
  const bytes = Buffer.byteLength(JSON.stringify(text));
  return bytes <= MOST_BYTES ? text : text.slice(0, Math.floor((text.length * MOST_BYTES) / bytes));
}

// Whatever JSON somebody sends, through every door: it is refused by what it is, and never breaks anything inside.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { OBSERVATION_ROUTES } from '../../src/compat/observations/observation-routes.ts';
import { PACKET_API } from '../../src/compat/packets/create-packets-app.ts';
import { ROOT_ROUTES } from '../../src/compat/service/routes/root-routes.ts';
import { SERVICE_ROUTES } from '../../src/compat/service/routes/service-routes.ts';
import { VERBS } from '../../src/features/verb-table.ts';
import { callTool } from '../../src/mcp/call-tool.ts';
import { createTools } from '../../src/server/create-tools.ts';
import type { Fields } from '../../src/verbs/field.ts';
import { splitAt } from '../../src/verbs/verb.ts';
import { openTestApp, type TestApp } from '../open-test-app.ts';
import { makeCaller, openTestEngine, type TestEngine } from '../open-test-engine.ts';
import { HOSTILE, hostileCalls } from './hostile-shapes.ts';

/** Every n-th call; LTM_TEST_SHAPES=1 makes all of them. */
const EACH = Number(process.env.LTM_TEST_SHAPES ?? 23);
let turn = 0;
const isTaken = (): boolean => turn++ % EACH === 0;

let opened: TestEngine;
let app: TestApp;
let id: string;
before(async (t) => {
  opened = await openTestEngine(t as never);
  app = await openTestApp({ 'writes-per-minute': '0', 'reads-per-minute': '0' });
});
after(() => app.close());

const caller = makeCaller('cli');
const tools = await createTools();

test('no argument of any tool breaks anything inside', async () => {
  const stored = await opened.engine.storeMemory(caller, { content: 'The pier is long.' });
  assert.ok('memory' in stored);
  id = stored.memory.id;
  const causes = new Map<string, string>();
  const log = {
    info: () => {},
    warn: () => {},
    error: (event: string, facts: Record<string, unknown> = {}) => {
      if (event === 'mcp_internal_error') causes.set(at, `${facts.error} ${facts.at}`);
    },
  };
  let at = '';
  const seen = new Set();
  for (const family of tools.families)
    for (const { name } of tools.list([family]).tools.concat(tools.tools as never)) {
      const tool = tools.find(name, [family])!;
      if (seen.has(tool)) continue;
      seen.add(tool);
      for (const [field, value, args] of hostileCalls(tool.fields, {
        id,
        ref: id,
        content_hash: stored.memory.contentHash,
      })) {
        if (!isTaken()) continue;
        at = `${family} ${name}.${field} = ${JSON.stringify(value)?.slice(0, 80)}`;
        const open = async () => ({ engine: opened.engine, caller });
        await callTool(tool, args, { open, log });
      }
    }
  assert.deepEqual(distinct(causes), []);
});

/** Of many causes at one place the first. */
function distinct(causes: ReadonlyMap<string, string>): string[] {
  const first = new Map<string, string>();
  for (const [at, cause] of causes) {
    const place = `${at.split(' = ')[0]} ${cause.split('\n', 2).join(' ')}`;
    if (!first.has(place)) first.set(place, at);
  }
  return [...first].map(([cause, at]) => `${at}: ${cause}`);
}

interface Door {
  at: string;
  query?: Fields;
  body?: Fields;
}

/** What the rest of a route's fields are when one of them is hostile. */
const verbDoors = (): Door[] =>
  Object.values(VERBS).flatMap(({ rest, input }): Door[] => {
    if (rest === undefined) return [];
    const { method, path } = splitAt(rest);
    const open = Object.fromEntries(Object.entries(input as Fields).filter(([name]) => !path.includes(`{${name}}`)));
    const at = `${method} /api/v1${path}`;
    const more = rest.byUrl === undefined ? [] : [{ at: `GET /api/v1${path}`, query: open }];
    return [method === 'GET' || method === 'DELETE' ? { at, query: open } : { at, body: open }, ...more];
  });

const ANY: Fields = Object.fromEntries(
  [
    'session_id',
    'tool_name',
    'tool_input',
    'tool_output',
    'prompt_number',
    'project',
    'directory',
    'text',
    'agent',
    'with_context',
    'files',
    'tool_use_id',
    'name',
    'email',
    'role',
    'token',
    'team',
    'user',
    'limit',
    'q',
    'days',
    'id',
    'goal',
    'decisions',
    'created_at',
    'ltm_version',
    'next_step',
    'tags',
  ].map((name) => [name, { type: 'any' }]),
);

const DOORS: readonly Door[] = [
  ...verbDoors(),
  ...SERVICE_ROUTES.map(({ at, query, body }) => ({ at: at.replace(' ', ' /api'), query, body })),
  ...ROOT_ROUTES,
  ...OBSERVATION_ROUTES.filter(({ at }) => at !== 'POST /shutdown').map(({ at }) => ({ at, query: ANY, body: ANY })),
  ...PACKET_API.map(({ method, path }) => ({ at: `${method} /v1/${path}`, query: ANY, body: ANY })),
];

test('nothing that is sent to any route breaks anything inside', async () => {
  const causes = new Map<string, string>();
  const statuses = new Map<number, number>();
  const stored = await app.json('POST', '/api/v1/memories', { json: { content: 'The quay is long.' } });
  const known = { ref: stored.body.memory.id, id: stored.body.memory.id };
  const ask = async (at: string, door: Door, parts: { query?: string; json?: unknown }): Promise<void> => {
    const [method, path] = door.at.split(' ') as [string, string];
    const place = path.replaceAll(/\{(\w+)\}/g, () => known.id);
    const response = await app.request(method, `${place}${parts.query ?? ''}`, {
      ...(parts.json !== undefined && method !== 'GET' && { json: parts.json }),
    });
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    if (response.status === 500) causes.set(at, JSON.stringify(app.logged.at(-1)?.facts ?? (await response.text())));
    else await response.body?.cancel();
  };
  for (const door of DOORS) {
    if (/stream|events$|\/mcp/.test(door.at) && door.at.startsWith('GET')) continue;
    for (const value of HOSTILE) {
      const told = `${door.at} = ${JSON.stringify(value)?.slice(0, 80)}`;
      if (isTaken()) await ask(`${told} whole`, door, { json: value });
    }
    for (const [field, value, json] of hostileCalls(door.body ?? {}, known))
      if (isTaken()) await ask(`${door.at} ${field} = ${JSON.stringify(value)?.slice(0, 80)}`, door, { json });
    for (const field of Object.keys(door.query ?? {}))
      for (const value of HOSTILE.filter((one) => typeof one === 'string' && one.length < 5000)) {
        const query = `?${encodeURIComponent(field)}=${encodeURIComponent(String(value).toWellFormed())}`;
        if (isTaken()) await ask(`${door.at}?${field} = ${JSON.stringify(value)}`, door, { query, json: {} });
      }
  }
  assert.equal(statuses.get(429), undefined);
  assert.ok((statuses.get(200) ?? 0) > 100 && (statuses.get(400) ?? 0) > 100, JSON.stringify([...statuses]));
  assert.deepEqual(distinct(causes), []);
});

const METHODS = [
  'tools/call',
  'tools/list',
  'resources/read',
  'resources/list',
  'resources/subscribe',
  'prompts/get',
  'initialize',

  'completion/complete',
  'logging/setLevel',
  'ping',
  'notifications/cancelled',
  'notifications/progress',
  'nothing',
];

test('nothing that is said in MCP breaks anything inside', async () => {
  const causes = new Map<string, string>();
  const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
  const say = async (at: string, json: unknown): Promise<void> => {
    if (!isTaken()) return;
    const response = await app.request('POST', '/mcp', { json, headers });
    const text = await response.text();
    if (response.status === 500 || text.includes('-32603') || text.includes('"internal"'))
      causes.set(at, text.slice(0, 300));
  };
  for (const value of HOSTILE) {
    const told = JSON.stringify(value)?.slice(0, 80);
    await say(`whole = ${told}`, value);
    await say(`method = ${told}`, { jsonrpc: '2.0', id: 1, method: value });
    await say(`id = ${told}`, { jsonrpc: '2.0', id: value, method: 'ping' });
    for (const method of METHODS) {
      await say(`${method} params = ${told}`, { jsonrpc: '2.0', id: 1, method, params: value });
      for (const name of ['name', 'arguments', 'uri', 'cursor', '_meta', 'ref', 'argument', 'level', 'protocolVersion'])
        await say(`${method} ${name} = ${told}`, {
          jsonrpc: '2.0',
          id: 1,
          method,
          params: { name: 'memory_search', arguments: { query: 'x' }, uri: 'memory://stats', [name]: value },
        });
    }
  }
  assert.deepEqual(distinct(causes), []);
});

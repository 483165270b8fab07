// Whatever fails in whichever part of the server: the log has a line under the id that the answer names.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestApp, type TestApp } from '../../test/open-test-app.ts';
import { OBSERVATION_ROUTES } from '../compat/observations/observation-routes.ts';
import { PACKET_API } from '../compat/packets/create-packets-app.ts';
import { ROOT_ROUTES } from '../compat/service/routes/root-routes.ts';
import { SERVICE_ROUTES } from '../compat/service/routes/service-routes.ts';
import type { Engine } from '../engine/engine.ts';
import { VERBS } from '../features/verb-table.ts';
import { EngineError } from '../model/errors.ts';

const UNLIMITED = { 'writes-per-minute': '0', 'reads-per-minute': '0' };
const FOUND = { error: 'TypeError', code: 'internal' };

/** What a store throws that has met something unknown, and what nobody has translated. */
const FAILURES = {
  coded: async () => {
    const cause = new TypeError('the secret words');
    throw new EngineError('internal', 'The database refused a statement.', { cause });
  },
  foreign: async () => {
    throw new TypeError('the secret words');
  },
  full: async () => {
    throw new EngineError('storage_full', 'The disk is full; nothing was written.', { hint: 'Free some space.' });
  },
};

function breakAll(engine: Engine, fail: () => Promise<never>): Engine {
  const broken = Object.entries(engine).map(([name, value]) => [
    name,
    typeof value === 'function' && !/^(?:publicUrl|close|followChanges|watch\w*)$/.test(name) ? fail : value,
  ]);
  return { ...engine, ...Object.fromEntries(broken) };
}

const apps = new Map<keyof typeof FAILURES, TestApp>();
before(async () => {
  for (const [kind, fail] of Object.entries(FAILURES) as [keyof typeof FAILURES, () => Promise<never>][])
    apps.set(kind, await openTestApp(UNLIMITED, (engine) => breakAll(engine, fail)));
});
after(async () => {
  for (const app of apps.values()) await app.close();
});

/** What a request says where the route has a field of this name. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  content: 'The pier is long.',
  query: 'pier',
  q: 'pier',
  text: 'x',
  tags: ['a'],
  tag: 'a',
  ref: 'abcdefgh',
  refs: ['abcdefgh'],
  ids: ['abcdefgh'],
  name: 'x',
  role: 'reader',
  session_id: 's',
  tool_name: 'Read',
  project: 'p',
  files: ['a.md'],
  limit: 2,
  keep: 'abcdefgh',
  from: 'a',
  to: 'b',
  type: 'related_to',
  memories: [{ content: 'x' }],
};

interface Door {
  at: string;
  fields: readonly string[];
}

const ANY = Object.keys(SAMPLES);
const DOORS: Readonly<Record<string, readonly Door[]>> = {
  native: Object.values(VERBS).flatMap(({ rest, input }) =>
    rest === undefined ? [] : [{ at: rest.at.replace(' ', ' /api/v1'), fields: Object.keys(input) }],
  ),
  service: [
    ...SERVICE_ROUTES.map(({ at }) => ({ at: at.replace(' ', ' /api'), fields: ANY })),
    ...ROOT_ROUTES.map(({ at }) => ({ at, fields: ANY })),
  ],
  observations: OBSERVATION_ROUTES.filter(({ at }) => at !== 'POST /shutdown').map(({ at }) => ({ at, fields: ANY })),
  packets: PACKET_API.map(({ method, path }) => ({ at: `${method} /v1/${path}`, fields: ANY })),
  pages: [{ at: 'GET /p/abcdefgh', fields: [] }],
};

/** Some routes end the token that they are asked with. */
async function ask(app: TestApp, { at, fields }: Door): Promise<Response> {
  const [method, path] = at.split(' ') as [string, string];
  const open = fields.filter((name) => name in SAMPLES && !path.includes(`{${name}}`));
  const place = path.replaceAll(/\{\w+\}/g, 'abcdefgh');
  const { value: token } = await app.addToken(['read', 'write', 'admin']);
  if (method !== 'GET' && method !== 'DELETE')
    return app.request(method, place, { token, json: Object.fromEntries(open.map((name) => [name, SAMPLES[name]])) });
  return app.request(
    method,
    `${place}?${new URLSearchParams(open.map((name): [string, string] => [name, String(SAMPLES[name])]))}`,
    {
      token,
    },
  );
}

for (const [door, routes] of Object.entries(DOORS))
  for (const kind of Object.keys(FAILURES) as (keyof typeof FAILURES)[])
    test(`${door}: ${kind} failures are logged under the id of the answer`, async () => {
      const app = apps.get(kind)!;
      let failed = 0;
      for (const route of routes) {
        const { at } = route;
        const logged = app.logged.length;
        const response = await ask(app, route);
        if (response.status < 500) {
          await response.body?.cancel();
          continue;
        }
        failed++;
        const id = response.headers.get('x-request-id');
        const lines = app.logged.slice(logged).filter(({ event }) => event === 'request_failed');
        assert.equal(lines.length, 1, `${at} ${response.status}`);
        const { facts } = lines[0]!;
        assert.deepEqual([facts.request_id, facts.status], [id, response.status], at);
        const text = await response.text();
        assert.doesNotMatch(text + JSON.stringify(facts), /secret words/, at);
        if (kind === 'full') assert.match(text, /Free some space/, at);
        else if (facts.code === 'internal') assert.deepEqual({ error: facts.error, code: facts.code }, FOUND, at);
        if (facts.code === 'internal') assert.match(String(facts.at), /logged-failures\.test/, at);
      }
      assert.ok(failed >= routes.length / 3, `only ${failed} of ${routes.length} failed`);
    });

test('over MCP the log has what failed, under the id that the client is told', async () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'memory_list', arguments: {} } };
  const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
  for (const [kind, app] of apps) {
    const logged = app.logged.length;
    const response = await app.request('POST', '/mcp', { json: call, headers });
    const text = await response.text();
    const line = app.logged.slice(logged).find(({ event }) => event.startsWith('mcp_'));
    assert.ok(line, kind);
    assert.doesNotMatch(text + JSON.stringify(line), /secret words/);
    if (kind === 'full') assert.deepEqual([line.event, line.facts.code], ['mcp_call_failed', 'storage_full']);
    else assert.ok(text.includes(String(line.facts.id)) && /logged-failures\.test/.test(String(line.facts.at)), text);
  }
});

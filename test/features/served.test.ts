import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { runCommand } from '../../src/cli/run-command.ts';
import { loadConfig } from '../../src/features/config.ts';
import { defineFeature, type Feature } from '../../src/features/feature.ts';
import { FEATURES } from '../../src/features/features.ts';
import type { HttpHost, StartingServer } from '../../src/features/host.ts';
import { defineTool } from '../../src/mcp/tool.ts';
import { ownerCaller } from '../../src/model/caller.ts';
import { EngineError } from '../../src/model/errors.ts';
import { createPages } from '../../src/rest/create-pages.ts';
import { createTools } from '../../src/server/create-tools.ts';
import { openEngineAndStore } from '../../src/server/open-engine.ts';
import { type RunningServer, startServer } from '../../src/server/start-server.ts';
import { makeFolder, silentLog } from '../open-test-engine.ts';

const TOKEN = 'bell-token-of-the-operator';
const OWNER = ownerCaller('job');
const noted: string[] = [];
const note = (what: string) => void noted.push(what);

const ring = defineTool<object>({
  name: 'ring',
  title: 'Ring',
  text: 'Ring the bell.',
  action: 'read',
  listed: {},
  output: { message: 'string' },
  run: async () => ({ structured: { message: 'ding' } }),
});

/** A feature that stands in no table but that of these tests. */
const bell = defineFeature({
  name: 'bell',
  about: 'A bell that rings.',
  tools: async () => () => [
    {
      family: 'bells',
      tools: [ring],
      prompts: [{ name: 'toll', title: 'Toll', description: 'Toll.', arguments: [], write: async () => 'dong' }],
      resources: {
        listed: [{ uri: 'bell://tower', name: 'tower', title: 'The tower', mimeType: 'application/json' }],
        templates: [],
        find: (uri) => (uri === 'bell://tower' ? async () => ({ bells: 1 }) : null),
      },
    },
  ],
  http: async () => (host: HttpHost) => ({
    mounts: [{ path: '/bell', app: createPages({ '/:tone': ({ param }) => new Response(`${param('tone')}!`) }) }],
    vitals: async () => ({ bells: host.config.port === 0 ? 1 : 0 }),
  }),
  tokens: async () => ({
    check: (_config, { isLocal }) => isLocal,
    open: () => ({
      find: async (value) =>
        value === TOKEN
          ? {
              kind: 'file',
              id: 'bell',
              userId: 'owner',
              scopes: ['read'],
              teamId: null,
              agent: null,
              clientId: null,
            }
          : null,
    }),
  }),
  services: {
    server: async () => async (server: StartingServer) => {
      note(`prepared, first: ${server.isFirst}`);
      return () => {
        note('started');
        return { close: async () => note('closed') };
      };
    },
    listening:
      async () =>
      (_config, _log, { url }) => {
        note(`listens: ${url.startsWith('http://127.0.0.1:')}`);
        return () => note('withdrawn');
      },
    command: {
      due: { place: 'spool', endings: ['due.db'] },
      near: async () => async (opened) => note(`near: ${(await opened.engine.countLabels(OWNER, 'tag')).length} tags`),
      far: async () => async () => note('far'),
    },
  },
  recognise: async () => async (_file, refused) =>
    new EngineError(refused.code, 'This file is a bell.', { hint: 'Ring it.' }),
});

async function serve(t: TestContext, features: readonly Feature[]): Promise<RunningServer> {
  const config = loadConfig({ flags: { db: join(makeFolder(), 'memory.db'), port: '0' }, env: {}, file: '' });
  const server = await startServer(config, silentLog, { createToken: true, addition: { features } });
  t.after(() => server.close());
  return server;
}

test('a feature brings tools with a family of their own, prompts and resources', async () => {
  const tools = await createTools(undefined, { features: [...FEATURES, bell] });
  assert.equal(tools.families.at(-1), 'bells');
  const { tools: listed, prompts } = tools.list(['bells']);
  assert.deepEqual([listed.map(({ name }) => name), prompts.map(({ name }) => name)], [['ring'], ['toll']]);
  assert.equal(tools.find('ring')?.name, 'ring');
  assert.ok(tools.resources.find('bell://tower') !== null && tools.resources.find('memory://tags') !== null);
  assert.equal(tools.resources.listed.at(-1)?.uri, 'bell://tower');
});

test('a feature brings paths, vitals and tokens to a server, and what goes on beside it', async () => {
  noted.length = 0;
  const config = loadConfig({ flags: { db: join(makeFolder(), 'memory.db'), port: '0' }, env: {}, file: '' });
  const server = await startServer(config, silentLog, {
    onlyWithTokens: true,
    addition: { features: [...FEATURES, bell] },
  });
  try {
    assert.equal(await (await fetch(`${server.url}/bell/ding`)).text(), 'ding!');
    const health = (await (await fetch(`${server.url}/health`)).json()) as Record<string, unknown>;
    assert.equal(health.bells, 1);
    const headers = { authorization: `Bearer ${TOKEN}` };
    assert.equal((await fetch(`${server.url}/api/v1/memories`, { headers })).status, 200);
    assert.equal(
      (await fetch(`${server.url}/api/v1/memories`, { headers: { authorization: 'Bearer other' } })).status,
      401,
    );
    assert.deepEqual(noted, ['prepared, first: true', 'started', 'listens: true']);
  } finally {
    await server.close();
  }
  assert.deepEqual(noted.slice(3), ['withdrawn', 'closed']);
});

test('a server serves the features that it is given, and the systems that need no others', async (t) => {
  const whole = await serve(t, FEATURES);
  const without = await serve(
    t,
    FEATURES.filter(({ name }) => name !== 'packets'),
  );
  const statusOf = async ({ url, token }: RunningServer, path: string): Promise<number> =>
    (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token.value}` } })).status;
  for (const path of ['/schema/core-memory.v0.2.json', '/v1/packets']) {
    assert.equal(await statusOf(whole, path), 200, path);
    assert.equal(await statusOf(without, path), 404, path);
  }
  assert.equal(await statusOf(without, '/api/v1/packets'), 404);
  assert.equal(await statusOf(without, '/api/v1/memories'), 200);
  const tools = await createTools({}, { features: FEATURES.filter(({ name }) => name !== 'packets') });
  assert.ok(!tools.families.includes('packets') && tools.families.includes('service'));
});

test('a feature does what waits before a command, where it says that something does', async () => {
  for (const [db, expected] of [
    ['due.db', ['near: 0 tags']],
    ['other.db', []],
  ] as const) {
    noted.length = 0;
    const folder = makeFolder();
    const [stdout, stderr, stdin] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const code = await runCommand(
      ['store', 'The bell rings.'],
      { LTM_DB: join(folder, db), LTM_CONFIG_DIR: folder, LTM_SPOOL: folder },
      { streams: { stdin, stdout, stderr }, addition: { features: [...FEATURES, bell] } },
    );
    assert.equal(code, 0, String(stderr.read()));
    assert.deepEqual(noted, expected, db);
  }
});

test('a feature tells whose file it is that is no database of ours', async () => {
  const db = join(makeFolder(), 'bell.db');
  const foreign = new DatabaseSync(db);
  foreign.exec('CREATE TABLE bells (tone TEXT)');
  foreign.close();
  const config = loadConfig({ flags: { db }, env: {}, file: '' });
  const open = (features: readonly Feature[]) => openEngineAndStore(config, silentLog, { features });
  await assert.rejects(open([...FEATURES, bell]), { message: 'This file is a bell.', hint: 'Ring it.' });
  await assert.rejects(open(FEATURES), { code: 'storage_unsupported', message: /^(?!This file is a bell)/ });
});

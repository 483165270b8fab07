import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { runCommand } from '../../../src/cli/run-command.ts';
import { createRemoteClient } from '../../../src/client/remote-client.ts';
import { loadConfig } from '../../../src/features/config.ts';
import { createEngine } from '../../../src/features/create-engine.ts';
import { DEFAULT_SETTINGS } from '../../../src/features/default-settings.ts';
import { FEATURES } from '../../../src/features/features.ts';
import { VERBS as OWN } from '../../../src/features/verb-table.ts';
import { type RunningServer, startServer } from '../../../src/server/start-server.ts';
import { openStore } from '../../../src/stores/open-store.ts';
import { makeCaller, makeClock, silentLog } from '../../open-test-engine.ts';
import { findPostgres, startPrivatePostgres } from '../../postgres/private-postgres.ts';
import { bookmark } from './feature.ts';
import { VERBS } from './verbs.ts';

const verbs = { ...OWN, ...VERBS };
const addition = { features: [...FEATURES, bookmark] };
const caller = makeCaller('cli');
const folder = mkdtempSync(join(tmpdir(), 'ltm-kind-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const NO_POSTGRES = 'missing' in findPostgres() ? 'PostgreSQL is not installed here' : false;

async function runBookmarkCommand(words: readonly string[], env: Record<string, string>): Promise<unknown> {
  const [stdout, stderr, stdin] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const code = await runCommand(
    words,
    { ...env, LTM_CONFIG_DIR: join(folder, 'config') },
    { streams: { stdin, stdout, stderr }, addition },
  );
  assert.equal(code, 0, String(stderr.read()));
  return JSON.parse(String(stdout.read()));
}

async function callTool({ url, token }: RunningServer, name: string, args: object): Promise<unknown> {
  const client = new Client({ name: 'kinds', version: '1' });
  const headers = { authorization: `Bearer ${token.value}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  const answer = await client.callTool({ name, arguments: { ...args } });
  await client.close();
  return (answer.structuredContent as { out: unknown }).out;
}

async function throughEveryDoor(db: string, home: string): Promise<void> {
  const config = loadConfig({ flags: { db, port: '0' }, env: {}, file: join(folder, home, 'config.json') });
  const server = await startServer(config, silentLog, { createToken: true, addition });
  try {
    const authorization = `Bearer ${server.token.value}`;
    const host = server.url;
    const fetchThere = (path: string, init: RequestInit = {}) =>
      fetch(`${host}${path}`, { ...init, headers: { ...init.headers, authorization } });
    const far = createRemoteClient(verbs, { host, fetch: fetchThere });

    const stored = await far.storeBookmark({
      url: 'https://vite.dev',
      note: 'How the dev server works.',
      tags: ['web'],
    });
    assert.deepEqual([stored.outcome, stored.bookmark?.tags], ['stored', ['web']]);
    const ref = stored.bookmark!.id;

    const rest = (await (await fetchThere('/api/v1/bookmarks')).json()) as { bookmarks: { id: string }[] };
    assert.equal(rest.bookmarks[0]?.id, ref);
    const document = (await (await fetch(`${host}/api/v1/openapi.json`)).json()) as {
      paths: object;
      components: { schemas: object };
    };
    assert.ok('/bookmarks/{ref}' in document.paths);
    assert.ok('ListBookmarksAnswer' in document.components.schemas);

    const updated = await callTool(server, 'bookmark_update', { ref, note: 'Where plugins are explained.' });
    assert.equal((updated as { outcome: string }).outcome, 'updated');
    const { hits } = await far.searchMemories({ query: 'plugins explained', kind: 'bookmark' });
    assert.equal(hits[0]?.id, ref);

    const env = { LTM_SERVER: host, LTM_TOKEN: server.token.value! };
    assert.deepEqual(await runBookmarkCommand(['bookmark-delete', ref], env), { deleted: 1 });
    assert.deepEqual((await far.listBookmarks({})).bookmarks, []);
    const near = await runBookmarkCommand(['bookmark-restore', ref, '--db', db], {});
    assert.equal((near as { restored: { note: string }[] }).restored[0]?.note, 'Where plugins are explained.');
    const added = await runBookmarkCommand(['bookmark-store', 'https://a.example', '--note', 'a', '--db', db], {});
    assert.equal((added as { outcome: string }).outcome, 'stored');
    const shown = (await runBookmarkCommand(['bookmarks', '--json', '--db', db], {})) as {
      bookmarks: { url: string }[];
    };
    assert.deepEqual(shown.bookmarks.map(({ url }) => url).sort(), ['https://a.example', 'https://vite.dev']);
    assert.equal(((await callTool(server, 'bookmark_list', {})) as { bookmarks: [] }).bookmarks.length, 2);
  } finally {
    await server.close();
  }
}

test('a feature that joins in a table is behind REST, MCP, commands and the remote client, on SQLite', () =>
  throughEveryDoor(join(folder, 'memory.db'), 'sqlite'));

test('the same on PostgreSQL', { skip: NO_POSTGRES }, async (t) => {
  const postgres = await startPrivatePostgres();
  t.after(() => postgres.stop());
  await throughEveryDoor(postgres.url(), 'postgres');
});

test('its job is done in the rounds of background work', async (t) => {
  const { clock, log } = { clock: makeClock(), log: silentLog };
  const store = await openStore(join(folder, 'job.db'), { clock, log });
  const engine = createEngine({ store, clock, log, embedder: null }, DEFAULT_SETTINGS, addition.features);
  t.after(() => engine.close());
  for (const tags of ['web', 'web,read'])
    await engine.storeRecord(caller, { kind: 'bookmark', tags, body: { url: `https://a.example/${tags}`, note: 'a' } });
  assert.equal((await engine.runUpkeep()).forgotten, 1);
  const { items } = await engine.listRecords(caller, { kind: 'bookmark' });
  assert.deepEqual(
    items.map(({ tags }) => tags),
    [['web']],
  );
});

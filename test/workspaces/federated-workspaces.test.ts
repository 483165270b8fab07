// Rows F1 to F14, F17 and F18 of the federated server's checklist, over MCP as its clients speak it.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { failServe, makeServeFolder, removeFolder, startServe } from '../e2e/serve-process.ts';
import { AI_TOKEN, LAPTOP, SERVER, SYNC_TOKEN, startFederated } from './federated-server.ts';
import { runLtm } from './run-ltm.ts';

test('F2, F5 and F11: two tokens get in, each with its own rights, and an agent never sees a write token', async (t) => {
  const server = await startFederated(t);
  const statusOf = async (authorization: string) =>
    (await fetch(`${server.url}/api/v1/workspaces`, { headers: { authorization } })).status;
  assert.deepEqual(
    await Promise.all([`Bearer ${AI_TOKEN}`, `Bearer ${SYNC_TOKEN}`, 'Bearer another'].map(statusOf)),
    [200, 200, 401],
  );
  const [agent, sync] = [await server.open(), await server.open(SYNC_TOKEN)];
  const bound = await agent.call('register_workspace', LAPTOP);
  assert.deepEqual(bound, { workspace_id: 'mymachine-claude-code-myproject', bound: true, created: true });
  const registered = await sync.call('register_workspace', LAPTOP);
  assert.deepEqual(Object.keys(registered), ['workspace_id', 'write_token', 'created']);
  const upload = { workspace_id: bound.workspace_id, write_token: registered.write_token, path: 'a.md', content: 'x' };
  assert.match(await agent.fail('upload_knowledge', upload), /not permitted for this token/i);
  assert.match(await sync.fail('write_overview', { content: 'x' }), /not permitted for this token/i);
  assert.match(await sync.fail('delete_knowledge', { path: 'a.md' }), /not permitted for this token/i);
  assert.match(await agent.fail('memory_store', { content: 'x' }), /not permitted for this token/i);
  assert.deepEqual((await agent.call('list_knowledge', { workspace_id: bound.workspace_id })).notes, []);
  const again = await sync.call('register_workspace', LAPTOP);
  assert.equal(again.write_token, registered.write_token);
  const rotated = await sync.call('register_workspace', { ...LAPTOP, rotate: true });
  assert.notEqual(rotated.write_token, registered.write_token);
  assert.match(await sync.fail('upload_knowledge', upload), /write token/);
  assert.equal(
    (await sync.call('upload_knowledge', { ...upload, write_token: rotated.write_token })).status,
    'created',
  );
  assert.doesNotMatch(server.log(), new RegExp(`${rotated.write_token}|${AI_TOKEN}|${SYNC_TOKEN}`));
});

test('F3: with one of the tokens missing, or both the same, the server does not start', async (t) => {
  const folder = makeServeFolder(null);
  t.after(() => removeFolder(folder));
  const wrong: Record<string, string>[] = [
    { MCP_TOKEN: AI_TOKEN },
    { SYNC_TOKEN },
    { MCP_TOKEN: AI_TOKEN, SYNC_TOKEN: AI_TOKEN },
  ];
  for (const env of wrong) {
    const { code, output } = await failServe(folder, [], env);
    assert.notEqual(code, 0);
    assert.match(output, /MCP_TOKEN/);
  }
});

test('F3 and F4: without either token the server starts and lets nobody in without one of their own, and makes no folder', async (t) => {
  const folder = makeServeFolder(null);
  t.after(() => removeFolder(folder));
  const server = await startServe(folder, ['--embedder', 'none'], { MCP_TOKEN: '', SYNC_TOKEN: '' });
  t.after(() => server.stop());
  for (const headers of [{}, { authorization: 'Bearer ' }, { authorization: `Bearer ${AI_TOKEN}` }])
    assert.equal((await fetch(`${server.url}/api/v1/workspaces`, { headers: headers as never })).status, 401);
  const { loadConfig } = await import('../../src/features/config.ts');
  assert.equal(loadConfig({ env: {}, file: '' }).memoryRoot, null);
});

test('F4: PORT is read beside the tokens, and 8000 is the port without it', async () => {
  const { loadConfig } = await import('../../src/features/config.ts');
  const portOf = (env: Record<string, string>) => loadConfig({ env, file: '' }).port;
  assert.deepEqual(
    [portOf({}), portOf({ PORT: '9001' }), portOf({ MCP_TOKEN: 'x', PORT: '9001' })],
    [8000, 8000, 9001],
  );
});

test('F6 to F9: an agent reads every workspace, and changes the one its session is bound to, whatever it says', async (t) => {
  const server = await startFederated(t);
  const sync = await server.open(SYNC_TOKEN);
  const [a, b] = [await sync.call('register_workspace', LAPTOP), await sync.call('register_workspace', SERVER)];
  for (const { workspace_id, write_token } of [a, b])
    await sync.call('upload_knowledge', { workspace_id, write_token, path: 'plan.md', content: `of ${workspace_id}` });
  const agent = await server.open();
  assert.match(await agent.fail('write_overview', { content: 'too early' }), /register_workspace/);
  await agent.call('register_workspace', LAPTOP);
  const read = await agent.call('read_knowledge', { workspace_id: b.workspace_id, path: 'plan.md' });
  assert.equal(read.content, `of ${b.workspace_id}`);
  assert.equal((await agent.call('search_knowledge', { query: 'OF', workspace_id: b.workspace_id })).matches.length, 1);
  const other = { workspace_id: b.workspace_id };
  assert.match(await agent.fail('write_overview', { content: 'mine now', ...other }), /own workspace/);
  assert.match(await agent.fail('delete_knowledge', { path: 'plan.md', ...other }), /own workspace/);
  assert.match(await agent.fail('register_workspace', SERVER), /bound to another/);
  await agent.call('write_overview', { content: '# Mine\n' });
  await agent.call('delete_knowledge', { path: 'plan.md' });
  assert.equal((await agent.call('list_knowledge', other)).notes.length, 1);
  const { workspaces } = await agent.call('get_overview');
  assert.deepEqual(
    workspaces.map(({ overview }: { overview: string }) => overview),
    ['', '# Mine\n'],
  );
  const second = await server.open();
  assert.match(await second.fail('write_overview', { content: 'not bound' }), /register_workspace/);
});

test('F9: a session that was bound may be bound anew on purpose, and an address or a token binds for good', async (t) => {
  const server = await startFederated(t);
  const agent = await server.open();
  await agent.call('register_workspace', LAPTOP);
  const rebound = await agent.call('register_workspace', { ...SERVER, rebind: true });
  assert.equal(rebound.bound, true);
  const addressed = await server.open(AI_TOKEN, `?workspace=${rebound.workspace_id}`);
  assert.equal((await addressed.call('write_overview', { content: 'by address' })).workspace_id, rebound.workspace_id);
  assert.match(await addressed.fail('register_workspace', LAPTOP), /own workspace/);
});

test('F10, F12 and F13: a triple is one workspace, and only its own write token fills it', async (t) => {
  const server = await startFederated(t);
  const sync = await server.open(SYNC_TOKEN);
  const first = await sync.call('register_workspace', LAPTOP);
  assert.deepEqual([first.workspace_id, first.created], ['mymachine-claude-code-myproject', true]);
  const second = await sync.call('register_workspace', LAPTOP);
  assert.deepEqual([second.workspace_id, second.created], [first.workspace_id, false]);
  const other = await sync.call('register_workspace', SERVER);
  const upload = { workspace_id: first.workspace_id, path: 'a.md', content: 'x' };
  await sync.fail('upload_knowledge', upload);
  for (const write_token of ['ltmw_wrong', other.write_token, ''])
    assert.match(await sync.fail('upload_knowledge', { ...upload, write_token }), /write.token/);
  assert.deepEqual((await sync.call('list_knowledge', { workspace_id: first.workspace_id })).notes, []);
});

test('F14: hostile names become slugs, and two triples never share an id', async (t) => {
  const server = await startFederated(t);
  const sync = await server.open(SYNC_TOKEN);
  const register = async (machine: string, tool: string, project: string): Promise<string> =>
    (await sync.call('register_workspace', { machine, tool, project })).workspace_id;
  assert.equal(await register('../../etc', 'a/b\\c', '..'), 'etc-a-b-c-default');
  assert.equal(await register('M y.M', 'T', 'ÜBER.x'), 'm-y-m-t-ber-x');
  const [first, second] = [await register('a-b', 'c', 'd'), await register('a', 'b-c', 'd')];
  assert.equal(first, 'a-b-c-d');
  assert.match(second, /^a-b-c-d-[0-9a-f]{6}$/);
  assert.equal(await register('a', 'b-c', 'd'), second);
  assert.match(await sync.fail('register_workspace', { machine: 'a\u0000b', tool: 't', project: 'p' }), /machine/);
});

test('F17 and F18: the overview holds the welcome text and every workspace, and counts are right', async (t) => {
  const folder = makeServeFolder(null);
  const welcome = join(folder, 'README.md');
  writeFileSync(welcome, '# Welcome\nBe kind.\n');
  const server = await startFederated(t, { folder, args: ['--welcome-file', welcome] });
  const sync = await server.open(SYNC_TOKEN);
  for (const project of ['one', 'two', 'three']) {
    const { workspace_id, write_token } = await sync.call('register_workspace', { ...LAPTOP, project });
    for (let i = 0; i < project.length; i++)
      await sync.call('upload_knowledge', { workspace_id, write_token, path: `${i}.md`, content: `${project} ${i}` });
  }
  const overview = await sync.call('get_overview');
  assert.equal(overview.welcome, '# Welcome\nBe kind.\n');
  assert.equal(overview.workspaces.length, 3);
  const { workspaces } = await sync.call('list_workspaces');
  const counts = Object.fromEntries(
    workspaces.map(({ project, knowledge_count }: { project: string; knowledge_count: number }) => [
      project,
      knowledge_count,
    ]),
  );
  assert.deepEqual(counts, { one: 3, two: 3, three: 5 });
});

test('an overview of all shows little of each, one workspace shows the whole of its own, and the text before can be read', async (t) => {
  const server = await startFederated(t);
  const agent = await server.open();
  const { workspace_id } = await agent.call('register_workspace', LAPTOP);
  const lines = Array.from({ length: 40 }, (_, i) => `line ${i}`).join('\n');
  const wide = `${'🎉'.repeat(20_000 / 4)} end`;
  await agent.call('write_overview', { content: lines });
  const first = async () => (await agent.call('get_overview')).workspaces[0].overview;
  assert.equal(await first(), `${lines.split('\n').slice(0, 12).join('\n')}\n…`);
  await agent.call('write_overview', { content: wide });
  assert.ok((await first()).length <= 1001 && (await first()).isWellFormed() && (await first()).endsWith('…'));
  await agent.call('register_workspace', { ...LAPTOP, description: 'A change of something else.' });
  const whole = (await agent.call('get_overview', { workspace_id })).workspaces;
  assert.deepEqual([whole.length, whole[0].overview, whole[0].version], [1, wide, 'current']);
  const names = whole[0].versions.map(({ version }: { version: string }) => version);
  assert.match(names.join(' '), /^current \d{8}T\d{6}Z\.[0-9a-f]{8} \d{8}T\d{6}Z\.[0-9a-f]{8}$/);
  const before = await agent.call('get_overview', { workspace_id, version: names[1] });
  assert.equal(before.workspaces[0].overview, lines);
  assert.match(await agent.fail('get_overview', { workspace_id, version: 'nonesuch' }), /no such version/);
  assert.match(await agent.fail('get_overview', { version: names[1] }), /workspace_id/);
  const url = `${server.url}/api/v1/workspaces/${workspace_id}/overview`;
  const read = async (query = '') => {
    const response = await fetch(`${url}${query}`, { headers: { authorization: `Bearer ${AI_TOKEN}` } });
    return (await response.json()) as { content: string; versions: object[] };
  };
  const earlier = await read(`?version=${names[1]}`);
  assert.deepEqual([earlier.content, earlier.versions.length], [lines, 3]);
  assert.deepEqual([(await read()).content, (await read('?version=2')).content], [wide, lines]);
  const env = { LTM_SERVER: server.url, LTM_TOKEN: AI_TOKEN };
  const { out } = await runLtm(server.folder, ['overview', workspace_id, '--version', names[1]], { env });
  assert.equal(out, lines);
});

test('F9: a session stays bound whichever worker its requests reach', async (t) => {
  const server = await startFederated(t, { args: ['--workers', '2'] });
  for (let i = 0; i < 4; i++) {
    const agent = await server.open();
    await agent.call('register_workspace', { ...LAPTOP, project: `p${i}` });
    for (let j = 0; j < 3; j++) {
      const { workspace_id } = await agent.call('write_overview', { content: `text ${j}` });
      assert.equal(workspace_id, `mymachine-claude-code-p${i}`);
    }
  }
});

test('a workspace is a label: searches and lists are narrowed by it, and what a bound agent stores bears it', async (t) => {
  const { openTestEngine, makeCaller } = await import('../open-test-engine.ts');
  const { engine } = await openTestEngine(t);
  const caller = makeCaller('cli');
  await engine.storeMemory({ ...caller, workspace: 'a-b-c' }, { content: 'The harbour opens at six in the morning.' });
  await engine.storeMemory(caller, { content: 'The harbour closes at nine in the evening.', workspace: 'x-y-z' });
  await engine.storeMemory(caller, { content: 'The harbour has a lighthouse.' });
  const found = async (workspace?: string): Promise<number> =>
    (await engine.search(caller, { query: 'harbour', filter: { workspace } })).hits.length;
  assert.deepEqual([await found(), await found('a-b-c'), await found('x-y-z'), await found('none')], [3, 1, 1, 0]);
  const { items } = await engine.listMemories(caller, { filter: { workspace: 'a-b-c' } });
  assert.deepEqual(
    items.map(({ workspace }) => workspace),
    ['a-b-c'],
  );
});

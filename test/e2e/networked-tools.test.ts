// Rows N11, N12, N14 to N18 and N20 of the networked server's checklist, with its own tools over its own transport.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import type { Answer } from './mcp-process.ts';
import {
  connectSse,
  makeServeFolder,
  removeFolder,
  type ServeProcess,
  type SseClient,
  startServe,
} from './serve-process.ts';

const TOKENS = { alice: 'alice', bob: 'bob', crowd: 'crowd' };
const folder = makeServeFolder(TOKENS);
const start = (): Promise<ServeProcess> =>
  startServe(folder, [], { LTM_DB_PATH: 'ltm_store.db', MCP_TOKENS_PATH: 'user_tokens.json' });

let server: ServeProcess;
let alice: SseClient;
before(async () => {
  server = await start();
  alice = await connectSse(`${server.url}/mcp/sse`, 'alice');
});
after(async () => {
  await alice.close();
  await server.stop();
  removeFolder(folder);
});

const contents = (answer: Answer): string[] => answer.memories.map((memory: { content: string }) => memory.content);

test('N14: what is stored gets an id and the fields it was given', async () => {
  const stored = await alice.call('store_memory', {
    content: 'the ferry leaves at nine',
    repo_id: 'port',
    key: 'ferry',
    tags: ['Boats'],
    metadata: { pier: 4 },
  });
  assert.equal(stored.updated, false);
  assert.ok(!Number.isNaN(Date.parse(stored.created_at)));
  const [memory] = (await alice.call('retrieve_memory', { id: stored.id })).memories;
  const { created_at, updated_at, ...rest } = memory;
  assert.deepEqual(rest, {
    id: stored.id,
    repo_id: 'port',
    key: 'ferry',
    content: 'the ferry leaves at nine',
    tags: ['boats'],
    metadata: { pier: 4 },
    trust: 'agent',
    source: 'mcp sse-test/1',
  });
  assert.equal(created_at, stored.created_at);
  assert.equal(updated_at, created_at);
});

test('N14: the same key in the same repository is an update, in another one a memory of its own', async () => {
  const first = await alice.call('store_memory', { content: 'berth one', repo_id: 'port', key: 'berth' });
  const second = await alice.call('store_memory', { content: 'berth two', repo_id: 'port', key: 'berth' });
  assert.deepEqual([second.id, second.updated], [first.id, true]);
  const other = await alice.call('store_memory', { content: 'berth nine', repo_id: 'marina', key: 'berth' });
  assert.deepEqual([other.id === first.id, other.updated], [false, false]);
  assert.deepEqual(contents(await alice.call('retrieve_memory', { key: 'berth', repo_id: 'port' })), ['berth two']);
});

test('five texts that differ in a number are five memories', async () => {
  const ids = new Set<string>();
  for (let i = 1; i <= 5; i++)
    ids.add(
      (
        await alice.call('store_memory', {
          content: `Build ${i} of the release pipeline took 12 minutes.`,
          repo_id: 'ci',
        })
      ).id,
    );
  assert.equal(ids.size, 5);
});

test('N11 and N15: found by query, key and id, inside the repository that is named', async () => {
  const { id } = await alice.call('store_memory', {
    content: 'the lighthouse keeper is called Ines',
    repo_id: 'coast',
    key: 'keeper',
  });
  await alice.call('store_memory', { content: 'the lighthouse lamp was replaced in May', repo_id: 'inland' });
  const coast = contents(await alice.call('retrieve_memory', { query: 'lighthouse', repo_id: 'coast' }));
  assert.deepEqual(coast, ['the lighthouse keeper is called Ines']);
  assert.equal(
    contents(await alice.call('retrieve_memory', { query: 'lighthouse' })).filter((text) => text.includes('lighthouse'))
      .length,
    2,
  );
  assert.equal((await alice.call('retrieve_memory', { id, repo_id: 'inland' })).count, 0);
  assert.equal((await alice.call('retrieve_memory', { id, repo_id: 'coast' })).count, 1);
  assert.equal(
    (await alice.call('retrieve_memory', { key: 'keeper' })).count,
    0,
    'a key without a repository is one of global',
  );
  assert.equal((await alice.call('retrieve_memory', { key: 'keeper', repo_id: 'coast' })).count, 1);
  assert.deepEqual(await alice.call('delete_memory', { id, repo_id: 'inland' }), { deleted: 0 });
});

test('the same text again is one memory, with the tags and facts of both calls', async () => {
  const first = await alice.call('store_memory', {
    content: 'the crane lifts ten tons',
    repo_id: 'quay',
    tags: ['steel'],
    metadata: { berth: 2 },
  });
  const again = await alice.call('store_memory', {
    content: 'the crane lifts ten tons',
    repo_id: 'quay',
    tags: ['Heavy'],
    metadata: { owner: 'port' },
  });
  assert.deepEqual([again.id, again.updated], [first.id, false]);
  const { memories } = await alice.call('retrieve_memory', { repo_id: 'quay', tags: ['heavy'] });
  assert.deepEqual(
    [memories.length, memories[0].tags, memories[0].metadata],
    [1, ['steel', 'heavy'], { berth: 2, owner: 'port' }],
  );
});

test('a query that has little to do with what is there finds what is nearest', async () => {
  await alice.call('store_memory', { content: 'gulls nest on the roof of the customs house', repo_id: 'birds' });
  const found = async (query: string): Promise<string[]> =>
    contents(await alice.call('retrieve_memory', { query, repo_id: 'birds' }));
  assert.equal((await found('quarterly tax spreadsheet')).length, 1);
  assert.equal(
    (await found('what do we know about gulls, and who wrote it down in which year of the survey')).length,
    1,
  );
});

test('the text of an answer is its structured part as JSON, without characters that hide something', async () => {
  await alice.call('store_memory', { content: 'pay \u202eecila\u202c\u{e0041} now', repo_id: 'hidden' });
  const { content, structuredContent } = await alice.invoke('retrieve_memory', { repo_id: 'hidden' });
  assert.deepEqual(JSON.parse(content[0].text), structuredContent);
  assert.equal(structuredContent.memories[0].content, 'pay ecila now');
});

test('what has no tags shows none, and tags narrow a key too', async () => {
  await alice.call('store_memory', { content: 'the anchor is new', repo_id: 'port', key: 'anchor' });
  await alice.call('store_memory', { content: 'the rope is old', repo_id: 'port', key: 'rope', tags: ['worn'] });
  const ask = (args: Record<string, unknown>) => alice.call('retrieve_memory', { repo_id: 'port', ...args });
  assert.deepEqual((await ask({ key: 'anchor' })).memories[0].tags, []);
  assert.deepEqual(
    [(await ask({ key: 'rope', tags: ['worn'] })).count, (await ask({ key: 'rope', tags: ['new'] })).count],
    [1, 0],
  );
});

test('without a query the newest come first, ten of them unless more are asked for, and a hundred at most', async () => {
  for (let i = 0; i < 12; i++)
    await alice.call('store_memory', { content: `entry number ${i} of the log book`, repo_id: 'log' });
  const newest = contents(await alice.call('retrieve_memory', { repo_id: 'log' }));
  assert.deepEqual([newest.length, newest[0]], [10, 'entry number 11 of the log book']);
  assert.equal((await alice.call('retrieve_memory', { repo_id: 'log', limit: 100 })).count, 12);
  assert.equal((await alice.invoke('retrieve_memory', { limit: 101 })).isError, true);
});

test('repositories can be listed, and read page by page', async () => {
  const { repos } = await alice.call('list_repos');
  assert.equal(repos.find((repo: { repo_id: string }) => repo.repo_id === 'log').count, 12);
  const first = await alice.call('list_memories', { repo_id: 'log', limit: 7 });
  const second = await alice.call('list_memories', { repo_id: 'log', limit: 7, cursor: first.cursor });
  assert.deepEqual([first.total, first.has_more, second.has_more], [12, true, false]);
  assert.equal(new Set([...contents(first), ...contents(second)]).size, 12);
});

test('N12: who asks is a matter of the token alone', async () => {
  const calls = {
    store_memory: { content: 'planted' },
    retrieve_memory: { query: 'planted' },
    delete_memory: { key: 'planted' },
  };
  for (const [tool, args] of Object.entries(calls)) {
    const result = await alice.invoke(tool, { ...args, user_key: 'bob' });
    assert.equal(result.isError, true, tool);
    assert.match(result.structuredContent.error.message, /user_key/);
  }
});

test('N16: a deleted memory is gone, a second delete removes nothing, and its key and text can be used again', async () => {
  const wanted = { content: 'the buoy is green', repo_id: 'port', key: 'buoy' };
  const { id } = await alice.call('store_memory', wanted);
  assert.deepEqual(await alice.call('delete_memory', { key: 'buoy', repo_id: 'port' }), { deleted: 1 });
  assert.deepEqual(await alice.call('delete_memory', { id }), { deleted: 0 });
  assert.equal((await alice.call('retrieve_memory', { id })).count, 0);
  const again = await alice.call('store_memory', wanted);
  assert.deepEqual([again.id === id, again.updated], [false, false]);
  assert.match((await alice.invoke('memory_restore', { id })).content[0].text, /Another memory now has its key/);
  await alice.call('delete_memory', { id: again.id });
  assert.equal((await alice.call('memory_restore', { id })).memories.length, 1);
});

test('the names of mcp-memory-service work with its arguments on the same tools', async () => {
  await alice.call('store_memory', {
    content: 'Quota resets on the first of the month',
    memory_type: 'decision',
    tags: 'quota,billing',
    client_hostname: 'desk',
  });
  assert.match(
    contents(await alice.call('retrieve_memory', { content: 'when does the quota reset', n_results: 3 }))[0]!,
    /Quota/,
  );
  assert.match(JSON.stringify(await alice.call('search_by_tag', { tags: ['quota'] })), /Quota resets/);
  assert.match(JSON.stringify(await alice.call('recall_memory', { query: 'today' })), /Quota resets/);
  const { validation } = (await alice.call('check_database_health')) as { validation?: { status: string } };
  assert.equal(validation?.status, 'healthy');
  const listed = (await alice.client.listTools()).tools.map((tool) => tool.name);
  for (const name of ['search_by_tag', 'recall_memory', 'check_database_health'])
    assert.ok(!listed.includes(name), name);
});

test('N17 and N18: everything survives a restart, and the database is in WAL mode', async () => {
  const { id } = await alice.call('store_memory', { content: 'the tide turns at noon', repo_id: 'port' });
  await alice.close();
  await server.stop();
  server = await start();
  alice = await connectSse(`${server.url}/mcp/sse`, 'alice');
  assert.deepEqual(contents(await alice.call('retrieve_memory', { id })), ['the tide turns at noon']);
  const database = new DatabaseSync(join(folder, 'ltm_store.db'), { readOnly: true });
  assert.equal(database.prepare('PRAGMA journal_mode').get()?.journal_mode, 'wal');
  database.close();
});

test('N20: ten streams store a hundred memories each at the same time, and none is lost', async () => {
  const clients = await Promise.all(Array.from({ length: 10 }, () => connectSse(`${server.url}/mcp/sse`, 'crowd')));
  try {
    await Promise.all(
      clients.map(async ({ call }, stream) => {
        for (let i = 0; i < 100; i += 10) {
          await Promise.all(
            Array.from({ length: 10 }, (_, j) =>
              call('store_memory', { content: `stream ${stream} says ${i + j}`, repo_id: `repo-${stream}` }),
            ),
          );
        }
      }),
    );
    const { repos } = await clients[0]!.call('list_repos');
    assert.deepEqual(
      repos.map((repo: { count: number }) => repo.count),
      Array.from({ length: 10 }, () => 100),
    );
  } finally {
    await Promise.all(clients.map(({ close }) => close()));
  }
});

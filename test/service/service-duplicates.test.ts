// Rows 5 to 7 of mcp-memory-service's checklist with its switches: the same text is refused whatever they say, on both databases.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothDatabases, openTools } from './both-databases.ts';
import { KEY, startService } from './rest-client.ts';
import { hashOf } from './service-client.ts';

const EXACT = 'Error storing memory: Duplicate content detected (exact match)';
const FIRST = 'The staging database password rotates every first Monday of the month';
const NEAR = 'The staging database password rotates on every first Monday of a month';
const SPLIT = Array.from({ length: 30 }, (_, n) => `Sentence number ${n} of a long text.`).join(' ');

const SWITCHES: readonly Record<string, string>[] = [
  { MCP_SEMANTIC_DEDUP_ENABLED: 'false' },
  { LTM_ON_DUPLICATE: 'store' },
];

for (const env of SWITCHES)
  onBothDatabases(`row 5: ${JSON.stringify(env)} stores near copies, and never the same text twice`, async (t, db) => {
    const ltm = await openTools(t, db, { ...env, MCP_SQLITEVEC_MAX_CONTENT_LENGTH: '200' });
    const store = async (content: string, more = {}) => (await ltm.invoke('memory_store', { content, ...more })).text;
    for (const content of [FIRST, NEAR]) {
      assert.equal(await store(content), `Memory stored successfully (hash: ${hashOf(content)})`);
      assert.equal(await store(content), EXACT);
      assert.equal(await store(`  ${content.toUpperCase()}\n`, { conversation_id: 'c' }), EXACT);
      assert.equal((await ltm.invoke('store_memory', { content })).text, EXACT);
    }
    assert.match(await store(SPLIT), /^Successfully stored \d+ memory chunks/);
    assert.equal(await store(SPLIT), EXACT);
    const turns = [{ role: 'user', content: 'Said once' }];
    const talk = { session_id: 's', turns };
    assert.match((await ltm.invoke('memory_store_session', talk)).text, /^Session stored/);
    assert.match((await ltm.invoke('memory_store_session', talk)).text, /exact match/);
    const { memories } = await ltm.call('memory_list', { page_size: 100 });
    const hashes = memories.map(({ content_hash: hash }: { content_hash: string }) => hash);
    assert.equal(new Set(hashes).size, hashes.length);
  });

onBothDatabases(
  'row 80: the same text from twenty writers at once is one memory with the near check off',
  async (t, db) => {
    const ltm = await openTools(t, db, { MCP_SEMANTIC_DEDUP_ENABLED: 'false' });
    const told = await Promise.all(Array.from({ length: 20 }, () => ltm.invoke('memory_store', { content: FIRST })));
    assert.equal(told.filter(({ isError }) => !isError).length, 1);
    assert.equal((await ltm.call('memory_list')).total, 1);
  },
);

test('row 5: the routes, replicas and mistake notes never make a second memory of a text either', async (t) => {
  const rest = await startService({ MCP_API_KEY: KEY, MCP_SEMANTIC_DEDUP_ENABLED: 'false' });
  t.after(() => rest.close());
  const store = async (content: string) => (await rest.send('POST', '/api/memories', { content })).body;
  assert.equal((await store(FIRST)).success, true);
  assert.equal((await store(NEAR)).success, true);
  const again = await store(FIRST);
  assert.deepEqual([again.success, again.message], [false, 'Duplicate content detected (exact match)']);
  const content = 'Told by a replica';
  const event = {
    schema_version: 1,
    event_id: 'e1',
    op: 'create',
    content_hash: hashOf(content),
    agent_id: 'a',
    hlc_physical: Date.now(),
    hlc_logical: 0,
    payload: { content, tags: [] },
  };
  const push = (n: number) => rest.send('POST', '/api/sync/events', { events: [{ ...event, event_id: `e${n}` }] });
  await Promise.all([1, 2, 3, 4, 5, 6].map(push));
  assert.equal((await rest.send('GET', '/api/memories')).body.total, 3);
});

test('row 6: MCP_SEMANTIC_DEDUP_ENABLED=true is what happens anyway: near copies of the last 24 hours are refused', async (t) => {
  const ltm = await openTools(t, null, { MCP_SEMANTIC_DEDUP_ENABLED: 'true' });
  await ltm.invoke('memory_store', { content: FIRST });
  assert.match((await ltm.invoke('memory_store', { content: NEAR })).text, /semantically similar/);
  const updates = { created_at: Date.now() / 1000 - 3 * 86_400 };
  const old = { content_hash: hashOf(FIRST), updates, preserve_timestamps: false };
  assert.match((await ltm.invoke('memory_update', old)).text, /^Successfully updated/);
  assert.match((await ltm.invoke('memory_store', { content: NEAR })).text, /^Memory stored/);
});

// Rows of mcp-memory-service's checklist, by number, on its REST routes as a script reaches them: its paths, its bodies, its codes.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { after, before, test } from 'node:test';
import { type Json, KEY, type RestClient, startService } from './rest-client.ts';

let rest: RestClient;
before(async () => {
  rest = await startService({
    MCP_API_KEY: KEY,
    MCP_CUSTOM_MEMORY_TYPES: '{"recipe":["soup"]}',
  });
});
after(() => rest.close());

const hashOf = (text: string): string => createHash('sha256').update(text.trim().toLowerCase()).digest('hex');
const store = async (content: string, more = {}, headers?: Record<string, string>): Promise<Json> =>
  (await rest.send('POST', '/api/memories', { content, conversation_id: 'c', ...more }, headers)).body;

test('row 67: a memory is stored, read, listed, changed and deleted with the codes and bodies of the service', async () => {
  const stored = await rest.send('POST', '/api/memories', {
    content: 'Row 67',
    tags: ['A', 'a'],
    metadata: { tags: 'b', x: 1 },
    unknown: 1,
  });
  assert.equal(stored.status, 200);
  assert.deepEqual(
    [stored.body.success, stored.body.content_hash, stored.body.memory.tags, stored.body.memory.metadata],
    [true, hashOf('row 67'), ['a', 'b'], { x: 1 }],
  );
  const again = await rest.send('POST', '/api/memories', { content: 'ROW 67 ' });
  assert.deepEqual(
    [again.status, again.body.success, again.body.message],
    [200, false, 'Duplicate content detected (exact match)'],
  );
  const { body: memory } = await rest.send('GET', `/api/memories/${hashOf('row 67')}`);
  assert.deepEqual(Object.keys(memory), [
    'content',
    'content_hash',
    'tags',
    'memory_type',
    'metadata',
    'created_at',
    'updated_at',
    'created_at_iso',
    'updated_at_iso',
    'trust',
    'source',
  ]);
  assert.equal(new Date(memory.created_at * 1000).toISOString(), memory.created_at_iso);
  const put = await rest.send('PUT', `/api/memories/${hashOf('row 67')}`, { tags: ['New'], metadata: { y: 2 } });
  assert.deepEqual(
    [put.status, put.body.success, put.body.memory.tags, put.body.memory.metadata],
    [200, true, ['new'], { x: 1, y: 2 }],
  );
  assert.equal((await rest.send('PUT', `/api/memories/${hashOf('row 67')}`, {})).body.success, true);
  const { body: list } = await rest.send('GET', '/api/memories?tag=new&page_size=5');
  assert.deepEqual([list.total, list.page, list.page_size, list.has_more, list.memories.length], [1, 1, 5, false, 1]);
  assert.equal((await rest.send('GET', '/api/memories/hashes')).body.hashes.includes(hashOf('row 67')), true);
  const gone = await rest.send('DELETE', `/api/memories/${hashOf('row 67')}`);
  assert.deepEqual([gone.status, gone.body.success], [200, true]);
  for (const [method, body] of [
    ['GET', undefined],
    ['PUT', {}],
    ['DELETE', undefined],
  ] as const)
    assert.equal((await rest.send(method, `/api/memories/${hashOf('row 67')}`, body)).status, 404, method);
});

test('row 67: what is wrong is 422 with the place, an empty text included', async () => {
  for (const body of [{}, { content: '' }, { content: 5, tags: {} }]) {
    const { status, body: told } = await rest.send('POST', '/api/memories', body);
    assert.deepEqual(
      [status, Array.isArray(told.detail), told.detail[0].loc[0]],
      [422, true, 'body'],
      JSON.stringify(told),
    );
  }
  assert.equal((await rest.send('GET', '/api/memories?page_size=1000')).status, 422);
  assert.equal((await rest.send('POST', '/api/search', { query: '' })).status, 422);
});

test('rows 8, 9 and 12: tags in three forms, the default tag, and the types with those of the setting', async () => {
  const forms = [['X', ' y '], 'X,y', '["x","Y"]'];
  for (const [n, tags] of forms.entries())
    assert.deepEqual((await store(`Forms ${n}`, { tags })).memory.tags, ['x', 'y']);
  assert.deepEqual((await store('No tags at all')).memory.tags, ['untagged']);
  const { body: types } = await rest.send('GET', '/api/types');
  assert.ok(types.includes('recipe') && types.includes('soup') && types.includes('decision'));
  assert.deepEqual(types, [...types].sort());
  const { body } = await rest.send('GET', '/api/tags');
  assert.deepEqual(
    body.tags.find(({ tag }: Json) => tag === 'x'),
    { tag: 'x', count: 3 },
  );
});

test('row 15: a session is stored whole, and one without a word is refused', async () => {
  const turns = [
    { role: 'user', content: 'hello', at: 1 },
    { role: 'assistant', content: 'x'.repeat(3000) },
  ];
  const { body } = await rest.send('POST', '/api/sessions', { turns, session_id: 's1', tags: ['t'] });
  assert.deepEqual([body.success, body.session_id, body.turn_count], [true, 's1', 2]);
  const { body: memory } = await rest.send('GET', `/api/memories/${body.content_hash}`);
  assert.deepEqual([memory.memory_type, memory.tags], ['session', ['session:s1', 't']]);
  for (const wrong of [{ turns: [] }, { turns: [{ role: 'user', content: ' ' }] }, {}])
    assert.equal((await rest.send('POST', '/api/sessions', wrong)).status, 422);
});

test('row 68: search, by tag, by time, similar, and /memories/search with tags as the README promises', async () => {
  await store('The Zanzibar ferry leaves at noon', { tags: ['ferry', 'agent:researcher'] });
  await store('A ferry to Pemba leaves at night', { tags: ['ferry'] });
  const found = (await rest.send('POST', '/api/search', { query: 'Zanzibar ferry', n_results: 5 })).body;
  assert.equal(found.results[0].memory.content, 'The Zanzibar ferry leaves at noon');
  assert.deepEqual(
    [found.query, found.search_type, found.total_found],
    ['Zanzibar ferry', 'semantic', found.results.length],
  );
  assert.ok(found.results[0].similarity_score > 0 && typeof found.results[0].relevance_reason === 'string');
  assert.equal(
    (await rest.send('POST', '/api/search', { query: 'ferry', quality_boost: true })).body.search_type,
    'semantic_quality_boost',
  );
  const readme = (await rest.send('POST', '/api/memories/search', { query: 'ferry', tags: ['agent:researcher'] })).body;
  assert.deepEqual(
    readme.memories.map(({ content }: Json) => content),
    ['The Zanzibar ferry leaves at noon'],
  );
  const all = (await rest.send('POST', '/api/search/by-tag', { tags: ['ferry', 'agent:researcher'], match_all: true }))
    .body;
  assert.equal(all.total_found, 1);
  assert.equal(
    (await rest.send('POST', '/api/search/by-tag', { tags: ['ferry'], time_filter: 'today' })).body.total_found,
    2,
  );
  assert.equal((await rest.send('POST', '/api/search/by-time', { query: 'yesterday' })).body.total_found, 0);
  assert.equal(
    (await rest.send('POST', '/api/search/by-time', { query: 'today', semantic_query: 'Pemba' })).body.results[0].memory
      .content,
    'A ferry to Pemba leaves at night',
  );
  assert.equal((await rest.send('POST', '/api/search/by-time', { query: 'when pigs fly' })).status, 400);
  const similar = (
    await rest.send('GET', `/api/search/similar/${hashOf('the zanzibar ferry leaves at noon')}?n_results=1`)
  ).body;
  assert.equal(similar.results[0].memory.content, 'A ferry to Pemba leaves at night');
  assert.equal((await rest.send('GET', `/api/search/similar/${'f'.repeat(64)}`)).status, 404);
});

test('row 69: the header for the agent adds its tag, that for the machine only where the operator wants it', async () => {
  const headers = { 'X-API-Key': KEY, 'X-Agent-ID': 'Researcher', 'X-Client-Hostname': 'Box-7' };
  const { memory } = await store('Written by an agent', { tags: ['api'], client_hostname: 'Box-8' }, headers);
  assert.deepEqual([memory.tags, memory.metadata.hostname], [['api', 'agent:researcher'], undefined]);
});

test('row 69: MCP_MEMORY_INCLUDE_HOSTNAME writes the machine down, by the call, the header or the server', async (t) => {
  const naming = await startService({ MCP_API_KEY: KEY, MCP_MEMORY_INCLUDE_HOSTNAME: 'true' });
  t.after(() => naming.close());
  const written = async (content: string, more: object, headers: Record<string, string>) => {
    const body = { content, conversation_id: 'c', ...more };
    const { memory } = (await naming.send('POST', '/api/memories', body, { 'X-API-Key': KEY, ...headers })).body;
    return [memory.tags, memory.metadata.hostname, memory.metadata.x];
  };
  const header = { 'X-Client-Hostname': 'Box-7' };
  assert.deepEqual(await written('By the call', { client_hostname: 'Box-8', metadata: { x: 1 } }, header), [
    ['source:box-8'],
    'Box-8',
    1,
  ]);
  assert.deepEqual(await written('By the header', { tags: ['api'] }, header), [
    ['api', 'source:box-7'],
    'Box-7',
    undefined,
  ]);
  const own = [[`source:${hostname().toLowerCase()}`], hostname(), undefined];
  assert.deepEqual(await written('By the server', {}, {}), own);
});

test('row 74: bulk deletes ask for the right count, tags are renamed, untagged ones counted and deleted, and the operations are real', async () => {
  for (let n = 0; n < 3; n++) await store(`Bulk ${n}`, { tags: ['bulk'], memory_type: 'deadline' });
  assert.equal((await rest.send('POST', '/api/manage/bulk-delete', {})).status, 400);
  assert.equal((await rest.send('POST', '/api/manage/bulk-delete', { tag: 'bulk', confirm_count: 2 })).status, 400);
  const renamed = await rest.send('PUT', '/api/manage/tags/bulk?new_tag=crate&confirm_count=3');
  assert.deepEqual([renamed.status, renamed.body.affected_count], [200, 3]);
  assert.equal((await rest.send('PUT', '/api/manage/tags/bulk?new_tag=crate')).status, 404);
  const { body: stats } = await rest.send('GET', '/api/manage/tags/stats');
  const crate = stats.tags.find(({ tag }: Json) => tag === 'crate');
  assert.deepEqual(
    [crate.count, crate.memory_types, crate.last_used.slice(0, 4)],
    [3, ['deadline'], new Date().toISOString().slice(0, 4)],
  );
  const typed = await rest.send('POST', '/api/manage/bulk-delete', { memory_type: 'deadline', confirm_count: 3 });
  assert.deepEqual([typed.body.success, typed.body.affected_count], [true, 3]);
  assert.equal(
    (await rest.send('POST', '/api/manage/bulk-delete', { before_date: '2020-01-01' })).body.affected_count,
    0,
  );
  const { count } = (await rest.send('GET', '/api/manage/untagged/count')).body;
  assert.ok(count >= 1);
  assert.equal((await rest.send('POST', '/api/manage/delete-untagged')).status, 422);
  assert.equal((await rest.send('POST', `/api/manage/delete-untagged?confirm_count=${count + 1}`)).status, 400);
  assert.equal(
    (await rest.send('POST', `/api/manage/delete-untagged?confirm_count=${count}`)).body.affected_count,
    count,
  );
  for (const operation of ['optimize_db', 'rebuild_index'])
    assert.equal((await rest.send('POST', `/api/manage/system/${operation}`)).body.success, true, operation);
  assert.equal((await rest.send('POST', '/api/manage/system/nothing')).status, 404);
});

test('row 75: the numbers of every chart are counted from what is stored', async () => {
  const { body: list } = await rest.send('GET', '/api/memories?page_size=100');
  const memories: Json[] = list.memories;
  const total = memories.length;
  const today = new Date().toLocaleDateString('en-CA');
  const get = async (path: string): Promise<Json> => {
    const { status, body } = await rest.send('GET', `/api/analytics/${path}`);
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
    return body;
  };
  const overview = await get('overview');
  assert.deepEqual(
    [overview.total_memories, overview.memories_this_week, overview.memories_this_month],
    [total, total, total],
  );
  for (const [period, points] of [
    ['week', 7],
    ['month', 5],
    ['quarter', 13],
    ['year', 13],
  ] as const) {
    const growth = await get(`memory-growth?period=${period}`);
    assert.equal(growth.data_points.length, points, period);
    assert.equal(growth.data_points.at(-1).cumulative, total);
    assert.ok(growth.data_points.at(-1).date <= today, period);
    if (period === 'week')
      assert.deepEqual([growth.data_points.at(-1).date, growth.data_points.at(-1).count], [today, total]);
    assert.equal(
      growth.data_points.reduce((sum: number, { count }: Json) => sum + count, 0),
      total,
    );
  }
  const used = memories.filter(({ tags }) => tags.includes('ferry')).length;
  const usage = (await get('tag-usage')).tags.find(({ tag }: Json) => tag === 'ferry');
  assert.deepEqual([usage.count, usage.percentage], [used, Number(((used / total) * 100).toFixed(2))]);
  const { types } = await get('memory-types');
  assert.equal(
    types.reduce((sum: number, { count }: Json) => sum + count, 0),
    total,
  );
  const heat = await get('activity-heatmap?days=30');
  assert.deepEqual([heat.data.length, heat.data.at(-1).count, heat.max_count, heat.total_days], [30, total, total, 1]);
  assert.equal(heat.data.at(-1).level, 4);
  const top = (await get('top-tags?period=7d')).tags.find(({ tag }: Json) => tag === 'ferry');
  assert.deepEqual(top.co_occurring_tags, [{ tag: 'agent:researcher', count: 1, strength: 0.5 }]);
  const daily = await get('activity-breakdown?granularity=daily');
  assert.deepEqual(
    [daily.active_days, daily.total_days, daily.current_streak, daily.longest_streak, daily.peak_times.length],
    [1, 1, 1, 1, 1],
  );
  assert.equal((await get('activity-breakdown?granularity=hourly')).breakdown.length, 24);
  const storage = await get('storage-stats');
  const sizes = memories.map(({ content }) => content.length);
  assert.equal(storage.largest_memories[0].size_bytes, Math.max(...sizes));
  assert.equal(storage.average_memory_size, Number((sizes.reduce((a, b) => a + b, 0) / total).toFixed(2)));
  assert.ok((await get('search-analytics')).total_searches > 5);
  assert.ok((await get('performance')).total_queries > 5);
});

test('row 38: health says only that it works to anybody, and the rest to whoever may know', async () => {
  assert.deepEqual((await rest.send('GET', '/api/health', undefined, {})).body, { status: 'healthy' });
  const { body } = await rest.send('GET', '/api/health/detailed');
  assert.equal(body.status, 'healthy');
  for (const field of ['version', 'timestamp', 'uptime_seconds', 'storage', 'system', 'performance', 'statistics'])
    assert.ok(field in body, field);
  assert.ok(body.statistics.total_memories > 0 && body.statistics.unique_tags > 0);
  assert.equal((await rest.send('GET', '/api/health/sync-status')).body.sync_supported, false);
  assert.equal((await rest.send('GET', '/api/sync/status')).body.status, 'not_hybrid');
  assert.equal((await rest.send('POST', '/api/sync/force', {})).status, 404);
  for (const path of ['memory-stats', 'server/status', 'health/model', 'server/version/check'])
    assert.equal((await rest.send('GET', `/api/${path}`)).status, 200, path);
  const { body: env } = await rest.send('GET', '/api/config/env');
  assert.ok(!JSON.stringify(env).includes('a-key-that-is'));
  assert.ok(JSON.stringify(env).includes('LTM_DB'));
});

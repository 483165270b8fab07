// Rows of mcp-memory-service's checklist about searching and listing, by number: its tools over stdio, in its words.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Json } from './rest-client.ts';
import { type ServiceClient, startServiceTools } from './service-client.ts';

let ltm: ServiceClient;
before(async () => {
  ltm = await startServiceTools();
});
after(() => ltm.close());

test('row 16 and 24: memory_search shows whole texts, hashes, times and tags, and cuts between memories with a notice', async () => {
  const long = (n: number) =>
    `Lighthouse keepers log number ${n}: ${`entry ${n} about the lamp and the weather. `.repeat(20)}`;
  for (let n = 0; n < 6; n++)
    await ltm.invoke('memory_store', { content: long(n), conversation_id: 'c16', metadata: { tags: ['lamp'] } });
  const whole = await ltm.invoke('memory_search', { query: 'lighthouse lamp', tags: ['lamp'] });
  assert.match(whole.text, /^Found 6 memories \(mode: semantic\) for query: 'lighthouse lamp'\n\n1\. Lighthouse/);
  assert.match(whole.text, /\n {3}Hash: [0-9a-f]{64}\n {3}Created: \d{4}-\d\d-\d\dT\S+Z \[lamp\]/);
  const cut = await ltm.invoke('memory_search', { query: 'lighthouse lamp', tags: ['lamp'], max_response_chars: 2500 });
  const notice = /^\[!\] RESPONSE TRUNCATED: Showing (\d+) of 6 results \((\d+) of (\d+) chars\)/.exec(cut.text);
  assert.ok(notice && Number(notice[1]) === 2 && Number(notice[2]) <= 2500, cut.text.slice(0, 200));
  assert.match(
    (await ltm.invoke('memory_search', { query: 'lighthouse', max_response_chars: 1 })).text,
    /Showing 1 of/,
  );
  await ltm.restart({ MCP_MAX_RESPONSE_CHARS: '2500' });
  assert.match(
    (await ltm.invoke('memory_search', { query: 'lighthouse lamp', tags: ['lamp'] })).text,
    /RESPONSE TRUNCATED/,
  );
  await ltm.restart();
});

test('row 26: include_debug gives counts and the time range that was read', async () => {
  const { text } = await ltm.invoke('memory_search', { query: 'lamp', time_expr: 'today', include_debug: true });
  assert.match(text, /Pre-filter count: \d+\nPost-filter count: \d+\nTime range: \d{4}-/);
  const wrong = await ltm.invoke('memory_search', { query: 'lamp', time_expr: 'when pigs fly' });
  assert.equal(wrong.isError, true);
  const without = await ltm.invoke('memory_search', {});
  assert.deepEqual([without.isError, without.text.startsWith('Error: query, a time, tags')], [true, true]);
  assert.equal((await ltm.fail('memory_search', {})).code, 'invalid_input');
});

test('row 28: fallback says how each was found', async () => {
  await ltm.invoke('memory_store', { content: 'Zebra crossing', metadata: { tags: ['qqxx'] } });
  const { text } = await ltm.invoke('memory_search', { query: 'qqxx', fallback: true });
  assert.match(text, /\[fallback: .*tag\]/);
  assert.match(text, /\(via tag_fallback\)/);
});

test('row 30: memory_list pages and counts', async () => {
  for (let n = 0; n < 5; n++)
    await ltm.invoke('memory_store', { content: `Paged ${n}`, conversation_id: 'c', metadata: { tags: ['page'] } });
  const page = await ltm.call('memory_list', { tags: ['page'], page: 2, page_size: 2 });
  const { memories, ...counts } = page;
  assert.deepEqual(counts, { page: 2, page_size: 2, total: 5, total_pages: 3, has_more: true });
  assert.deepEqual(
    memories.map(({ content }: { content: string }) => content),
    ['Paged 2', 'Paged 1'],
  );
  const [{ created_at: seconds, created_at_iso: iso }] = memories;
  assert.equal(new Date(seconds * 1000).toISOString(), iso);
  const text = JSON.parse(await ltm.text('memory_list', { tags: ['page'] }));
  assert.equal(text.total, 5);
});

test('row 29: the entity filter finds only what mentions it, and an unknown one finds nothing', async () => {
  await ltm.store('Ask @grace about src/lighthouse.ts before the release');
  await ltm.store('The lighthouse release is on Friday');
  const { text } = await ltm.invoke('memory_search', { query: 'lighthouse release', entity: '@grace' });
  assert.match(text, /^Found 1 memories/);
  assert.match(text, /Ask @grace/);
  assert.match((await ltm.invoke('memory_search', { entity: 'src/lighthouse.ts' })).text, /^Found 1 memories/);
  assert.match(
    (await ltm.invoke('memory_search', { query: 'lighthouse', entity: '@nobody' })).text,
    /^No memories found/,
  );
});

test('memory_explore tells what memories about a topic mention, memory_detail what is known of one of them', async () => {
  const { entities, count } = await ltm.document('memory_explore', { query: 'lighthouse release' });
  assert.equal(count, entities.length);
  const grace = entities.find(({ entity_id: id }: Json) => id === 'person:grace');
  assert.match(grace.chunks[0].content, /Ask @grace/);
  const detail = await ltm.document('memory_detail', { entity_id: 'person:grace' });
  assert.deepEqual([detail.success, detail.chunks.length], [true, 1]);
  assert.ok(detail.related_entities.some(({ entity_id: id }: Json) => id.includes('lighthouse.ts')));
  assert.equal((await ltm.document('memory_detail', { entity_id: '@nobody' })).success, false);
});

const texts = async (args: object): Promise<string[]> =>
  (await ltm.call('memory_search', { query: 'turbine', tags: ['turbine'], ...args })).results.map(
    ({ content }: Json) => content,
  );

test('row 23: mode ranked and ranking_weights order by fit, reads and quality as they are weighed, and a wrong weight is refused', async () => {
  const good = await ltm.store('A turbine remark that is rated well', { tags: ['turbine'] });
  await ltm.store('Turbine, turbine, turbine: all about the turbine', { tags: ['turbine'] });
  await ltm.call('memory_quality', { action: 'rate', content_hash: good, rating: '1' });
  const none = { semantic: 0, time_decay: 0, access_frequency: 0, quality: 0 };
  assert.match((await texts({ mode: 'ranked', ranking_weights: { ...none, quality: 1 } }))[0]!, /rated well/);
  assert.match((await texts({ mode: 'ranked', ranking_weights: { ...none, semantic: 1 } }))[0]!, /all about/);
  assert.match((await texts({ mode: 'hybrid', ranking_weights: { ...none, quality: 1 } }))[0]!, /rated well/);
  assert.match((await ltm.invoke('memory_search', { query: 'turbine', mode: 'ranked' })).text, /\(mode: ranked\)/);
  assert.match((await texts({ quality_boost: 1 }))[0]!, /rated well/);
  assert.match((await texts({ quality_boost: 0 }))[0]!, /all about/);
  for (const wrong of [
    { mode: 'ranked', tags: ['turbine'] },
    { query: 'turbine', ranking_weights: { speed: 1 } },
    { query: 'turbine', ranking_weights: { quality: 'much' } },
    { query: 'turbine', ranking_weights: { quality: -1 } },
  ])
    assert.equal((await ltm.invoke('memory_search', wrong)).isError, true, JSON.stringify(wrong));
  const exact = await ltm.invoke('memory_search', { query: 'turbine', mode: 'exact', rerank: true });
  assert.match(exact.text, /have nothing to order in mode exact/);
});

test('rerank gives the same memories in an order of its own, as many as were asked for', async () => {
  const plain = await texts({ limit: 2 });
  const again = await texts({ limit: 2, rerank: true });
  assert.deepEqual(again.toSorted(), plain.toSorted());
});

test('summarize answers with sentences of the memories themselves, each with its source, unless they are too long', async () => {
  await ltm.store('It rained. The turbine oil is changed in May. Nobody came.', { tags: ['turbine'] });
  const summary = await ltm.document('memory_search', {
    query: 'when is the turbine oil changed',
    tags: ['turbine'],
    summarize: true,
  });
  assert.deepEqual([summary.summarized, summary.provider, summary.model], [true, 'extractive', null]);
  assert.match(summary.summary, /^- The turbine oil is changed in May\. \[1\]$/m);
  assert.deepEqual(
    [summary.source_hashes.length, summary.summarized_count + summary.omitted_count],
    [summary.summarized_count, summary.total],
  );
  assert.equal(summary.snapshot[0].content_hash, summary.source_hashes[0]);
  const short = await ltm.invoke('memory_search', {
    query: 'turbine',
    tags: ['turbine'],
    summarize: true,
    max_response_chars: 300,
  });
  assert.match(short.text, /Summarization unavailable/);
});

test('include_beliefs adds what several memories say alike, with confidence and sources, and whether something contradicts it', async () => {
  await ltm.store('The turbine hall listens on port 8100', { tags: ['hall'] });
  await ltm.store('Checked on site. The turbine hall listens on port 8100.', { tags: ['hall'] });
  const ask = async () =>
    (await ltm.invoke('memory_search', { query: 'turbine hall port', tags: ['hall'], include_beliefs: true })).text;
  assert.match(
    await ask(),
    /--- Beliefs \(derived knowledge\) ---\n1\. \[conf=0\.\d\d\] .*port 8100.*\n {3}Hash: [0-9a-f]{64}\n {3}Status: active \| Sources: 2/,
  );
  await ltm.store('The turbine hall listens on port 9200', { tags: ['hall'] });
  assert.match(await ask(), /Status: disputed \| Sources: 2/);
  assert.ok(!(await ltm.invoke('memory_search', { query: 'lamp', include_beliefs: true })).text.includes('Beliefs'));
});

test('store keeps memories apart: the same text in two of them, found, listed and deleted in the one that is named', async () => {
  for (const store of ['work', 'home', undefined])
    assert.match(
      (await ltm.invoke('memory_store', { content: 'Pay the rent on Friday', metadata: { tags: 'rent' }, store })).text,
      /^Memory stored/,
    );
  const found = async (more: object) =>
    (await ltm.call('memory_search', { query: 'rent', tags: ['rent'], ...more })).count;
  assert.deepEqual([await found({ store: 'work' }), await found({ store: 'all' }), await found({})], [1, 3, 3]);
  assert.equal((await ltm.call('memory_list', { tags: ['rent'], store: 'home' })).total, 1);
  assert.equal((await ltm.invoke('memory_store', { content: 'x', store: 'all' })).isError, true);
  assert.match((await ltm.invoke('memory_delete', { tags: ['rent'], store: 'work' })).text, /Deleted 1 memories$/);
  assert.deepEqual([await found({ store: 'work' }), await found({ store: 'home' })], [0, 1]);
});

test('rows 17, 21 and 22: exact text newest first, days, and any or all of the tags, alike in search, list and delete', async () => {
  const made: [content: string, tags: string[]][] = [
    ['Plank one is oak', ['wood', 'deck']],
    ['Plank two is oak 100%', ['wood']],
    ['Plank three is TEAK', ['deck']],
  ];
  for (const [content, tags] of made) await ltm.store(content, { tags });
  const hashes = (text: string) => [...text.matchAll(/^\d+\. (Plank \w+)/gm)].map(([, name]) => name);
  const search = async (args: object) => hashes((await ltm.invoke('memory_search', { limit: 50, ...args })).text);
  assert.deepEqual(await search({ query: 'IS OAK', mode: 'exact' }), ['Plank two', 'Plank one']);
  assert.deepEqual(await search({ query: 'oak 100%', mode: 'exact' }), ['Plank two']);
  for (const mode of ['semantic', 'exact', 'hybrid', 'ranked']) {
    const narrowed = async (more: object) => (await search({ query: 'plank', mode, ...more })).toSorted();
    const [any, all] = [{ tags: ['wood', 'deck'] }, { tags: 'wood,deck', tag_match: 'all' }];
    assert.deepEqual(await narrowed(any), ['Plank one', 'Plank three', 'Plank two'], mode);
    assert.deepEqual(await narrowed(all), ['Plank one'], mode);
    assert.deepEqual(await narrowed({ ...any, after: '2100-01-01' }), [], mode);
    assert.equal((await narrowed({ ...any, after: '2020-01-01', before: '2100-01-01' })).length, 3, mode);
  }
  const total = async (args: Record<string, unknown>) => (await ltm.call('memory_list', args)).total;
  assert.deepEqual(
    [await total({ tags: ['wood', 'deck'] }), await total({ tags: ['wood', 'deck'], tag_match: 'all' })],
    [3, 1],
  );
  const remove = async (args: object) => (await ltm.invoke('memory_delete', { tags: ['wood', 'deck'], ...args })).text;
  assert.match(await remove({ tag_match: 'all' }), /Deleted 1 memories$/);
  assert.match(await remove({ before: '2020-01-01' }), /Deleted 0 memories$/);
  assert.match(await remove({}), /Deleted 2 memories$/);
});

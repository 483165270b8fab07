// Rows of the mcp-memory-service checklist, by number, on the program as an agent runs it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { MEMORY_TYPES } from '../../src/model/memory-types.ts';
import { type McpProcess, startMcpProcess } from './mcp-process.ts';

let ltm: McpProcess;
before(async () => {
  ltm = await startMcpProcess();
});
after(() => ltm.close());

const contents = (list: { content?: string; snippet?: string }[]): (string | undefined)[] => list.map((item) => item.content ?? item.snippet);

test('2: the tools have schemas, annotations and required arguments', async () => {
  const { tools } = await ltm.client.listTools();
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  for (const name of ['memory_store', 'memory_search', 'memory_list', 'memory_delete', 'memory_update', 'memory_health']) assert.ok(byName.has(name), name);
  assert.deepEqual(byName.get('memory_store')?.inputSchema.required, ['content']);
  for (const name of ['memory_search', 'memory_list', 'memory_get', 'memory_health']) assert.equal(byName.get(name)?.annotations?.readOnlyHint, true, name);
  assert.equal(byName.get('memory_delete')?.annotations?.destructiveHint, true);
  assert.notEqual(byName.get('memory_store')?.annotations?.destructiveHint, true);
});

test('4: memory_store answers with the SHA-256 of the trimmed, lower-cased text', async () => {
  const { content_hash: hash } = await ltm.call('memory_store', { content: '  Row Four stores THIS  ' });
  assert.equal(hash, createHash('sha256').update('row four stores this').digest('hex'));
});

test('5: the same text in another case is a duplicate, and the answer names the one that is there', async () => {
  const first = await ltm.call('memory_store', { content: 'Row five says it once' });
  const second = await ltm.call('memory_store', { content: '  ROW FIVE says it once ' });
  assert.equal(second.outcome, 'duplicate');
  assert.equal(second.id, first.id);
});

test('6: a near copy is stored and named, or refused on request; the threshold is a setting', async () => {
  const first = await ltm.call('memory_store', { content: 'The staging database password rotates every first Monday of the month' });
  const near = 'The staging database password rotates on every first Monday of a month';
  const refused = await ltm.fail('memory_store', { content: near, on_duplicate: 'refuse' });
  assert.equal(refused.code, 'duplicate');
  assert.match(JSON.stringify(refused), new RegExp(first.id));
  const second = await ltm.call('memory_store', { content: near });
  assert.equal(second.outcome, 'stored');
  assert.equal(second.resembles[0].id, first.id);
  assert.ok(second.resembles[0].similarity >= 0.85 && second.resembles[0].similarity <= 1);
  await ltm.restart({ MCP_SEMANTIC_DEDUP_THRESHOLD: '0.999' });
  const third = await ltm.call('memory_store', { content: 'The staging database password rotates on every first Monday in a month' });
  assert.equal(third.resembles?.length ?? 0, 0);
  await ltm.restart();
});

test('7: a conversation id skips the check for near copies, not for exact ones', async () => {
  await ltm.call('memory_store', { content: 'Seven wonders are listed in the travel plan for May' });
  const near = await ltm.call('memory_store', {
    content: 'Seven wonders are listed in the travel plan for the May',
    conversation_id: 'c7',
    on_duplicate: 'refuse',
  });
  assert.equal(near.outcome, 'stored');
  assert.equal(
    (await ltm.fail('memory_store', { content: 'seven wonders are listed in the travel plan for may', conversation_id: 'c7', on_duplicate: 'refuse' })).code,
    'duplicate',
  );
});

test('8: tags as a list, as comma text and as JSON text are the same, lower-cased, once each, within limits', async () => {
  const forms = [['Alpha Tag', 'beta', 'BETA'], 'Alpha Tag, beta,BETA', '["Alpha Tag","beta","BETA"]'];
  for (const [i, tags] of forms.entries()) {
    assert.deepEqual((await ltm.call('memory_store', { content: `row eight, form number ${i}`, tags })).tags, ['alpha tag', 'beta'], String(tags));
    assert.deepEqual(
      (await ltm.call('memory_store', { content: `row eight, old form number ${i}`, metadata: { tags } })).tags,
      ['alpha tag', 'beta'],
      String(tags),
    );
  }
  const many = Array.from({ length: 120 }, (_, i) => `tag${i}-${'x'.repeat(120)}`);
  const limited = await ltm.call('memory_store', { content: 'row eight, too many', tags: many });
  assert.equal(limited.tags.length, 100);
  assert.ok(limited.tags.every((tag: string) => tag.length <= 100));
  assert.equal((await ltm.call('memory_list', { tags: ['alpha tag'] })).total, 6);
  await ltm.call('memory_store', { content: 'row eight, a wildcard', tags: ['a%b_c'] });
  assert.equal((await ltm.call('memory_list', { tags: ['a%b_c'] })).total, 1);
  assert.equal((await ltm.call('memory_list', { tags: ['axbyc', '%', '_'] })).total, 0);
});

test('9: without tags a memory is tagged untagged', async () => {
  assert.deepEqual((await ltm.call('memory_store', { content: 'row nine has no tags' })).tags, ['untagged']);
});

test('10: metadata.tags and tags are united', async () => {
  const stored = await ltm.call('memory_store', { content: 'row ten has both', tags: ['one'], metadata: { tags: 'two,one', colour: 'red' } });
  assert.deepEqual([...stored.tags].sort(), ['one', 'two']);
  assert.deepEqual((await ltm.call('memory_get', { id: stored.id })).memories[0].metadata, { colour: 'red' });
});

test('11: an unknown type is kept as given, with a warning that names it', async () => {
  const stored = await ltm.call('memory_store', { content: 'row eleven has a new type', metadata: { type: 'foo' } });
  assert.equal(stored.type, 'foo');
  assert.match(JSON.stringify(stored.warnings), /foo/);
});

test('12: custom types come from a setting', async () => {
  await ltm.restart({ MCP_CUSTOM_MEMORY_TYPES: '{"legal":["contract"]}' });
  assert.equal((await ltm.call('memory_store', { content: 'row twelve is legal', type: 'contract' })).warnings, undefined);
  await ltm.restart();
});

test('13: the twelve bases and sixty-six subtypes are all known', async () => {
  const types = Object.entries(MEMORY_TYPES).flatMap(([base, subtypes]) => [base, ...subtypes]);
  assert.equal(types.length, 12 + 66);
  for (const type of types)
    assert.equal((await ltm.call('memory_store', { content: `row thirteen, a ${type}`, type, on_duplicate: 'store' })).warnings, undefined, type);
});

test('14: content over the limit of the setting is split, with index, total and the hash of the whole', async () => {
  await ltm.restart({ MCP_SQLITEVEC_MAX_CONTENT_LENGTH: '100' });
  const content = Array.from({ length: 50 }, (_, i) => `Sentence ${i} of fourteen.`)
    .join(' ')
    .slice(0, 1000);
  const stored = await ltm.call('memory_store', { content, tags: ['row14'] });
  assert.ok(stored.chunks.length >= 10);
  const { memories, total } = await ltm.call('memory_list', { tags: ['row14'], limit: 100 });
  assert.equal(total, stored.chunks.length);
  const hash = createHash('sha256').update(content.trim().toLowerCase()).digest('hex');
  const indexes = new Set<number>();
  for (const memory of memories) {
    assert.ok(memory.content.length <= 100);
    assert.equal(memory.metadata.original_hash, hash);
    assert.equal(memory.metadata.total_chunks, total);
    indexes.add(memory.metadata.chunk_index);
  }
  assert.equal(indexes.size, total);
  await ltm.restart();
});

test('16: what means the same comes first although it shares no word', async () => {
  const corpus = [
    'We adopted a beagle puppy on Saturday',
    'The quarterly tax report is due in March',
    'Deployments run through the blue pipeline',
    'My sister moved to Lisbon',
  ];
  for (const content of corpus) await ltm.call('memory_store', { content, tags: ['row16'] });
  const first = async (query: string) => (await ltm.call('memory_search', { query, tags: ['row16'], mode: 'semantic', limit: 1 })).hits[0].snippet;
  assert.equal(await first('which dog do we have'), corpus[0]);
  assert.equal(await first('relatives living abroad'), corpus[3]);
  assert.equal(await first('how do we ship a new release'), corpus[2]);
  assert.equal((await ltm.fail('memory_search', { query: 'x', limit: 101 })).code, 'invalid_input');
});

test('18 and 19: hybrid search lifts identifiers and paraphrases, and the weights change the order', async () => {
  const named = 'Ticket PAY-4711: the checkout rounds amounts down';
  const meant = 'Customers are charged one cent too little at the till';
  for (const content of [named, meant, 'The garden party starts at noon', 'Bring an umbrella tomorrow'])
    await ltm.call('memory_store', { content, tags: ['row18'] });
  const order = async (query: string): Promise<string[]> =>
    (await ltm.call('memory_search', { query, tags: ['row18'], mode: 'hybrid' })).hits.map((hit: { snippet: string }) => hit.snippet);
  assert.equal((await order('PAY-4711'))[0], named);
  assert.equal((await order('buyers were billed the wrong price'))[0], meant);
  const mixed = 'the price of an umbrella at the till';
  await ltm.restart({ LTM_WORDS_WEIGHT: '10', LTM_MEANING_WEIGHT: '0' });
  const byWords = await order(mixed);
  await ltm.restart({ LTM_WORDS_WEIGHT: '0', LTM_MEANING_WEIGHT: '10' });
  assert.notDeepEqual(await order(mixed), byWords);
  await ltm.restart();
});

test('M35: the best match is first, words of a summary are found, and C++ is a word', async () => {
  for (const content of ['C++ templates slow the build down', 'C is fine for the firmware', 'Summary: migrated the scheduler to cron jobs'])
    await ltm.call('memory_store', { content, tags: ['m35'] });
  const first = async (query: string) => (await ltm.call('memory_search', { query, tags: ['m35'] })).hits[0].snippet;
  assert.equal(await first('C++'), 'C++ templates slow the build down');
  assert.equal(await first('scheduler migration'), 'Summary: migrated the scheduler to cron jobs');
});

test('17: exact mode finds a literal fragment in any case, newest first', async () => {
  await ltm.call('memory_store', { content: 'Seventeen: 100%_Sure the CaféName is right' });
  await ltm.call('memory_store', { content: 'seventeen again: 100%_sure the cafÉname is wrong' });
  await ltm.call('memory_store', { content: 'seventeen no: 1000 sure' });
  const { hits } = await ltm.call('memory_search', { query: '00%_sure the CAFÉN', mode: 'exact' });
  assert.deepEqual(
    hits.map((hit: { snippet: string }) => hit.snippet.split(':')[0]),
    ['seventeen again', 'Seventeen'],
  );
});

test('21: after and before see an old memory among a thousand newer ones', async () => {
  const other = await startMcpProcess();
  try {
    const old = await other.call('memory_store', { content: 'pineapple harvest numbers of the pilot farm' });
    await other.call('memory_update', { content_hash: old.content_hash, updates: { created_at: '2021-03-04T10:00:00Z' }, preserve_timestamps: false });
    for (let i = 0; i < 300; i++) await other.call('memory_store', { content: `pineapple harvest numbers of farm ${i}`, on_duplicate: 'store' });
    const { hits } = await other.call('memory_search', { query: 'pineapple harvest numbers', after: '2021-03-01', before: '2021-03-31' });
    assert.deepEqual(
      hits.map((hit: { id: string }) => hit.id),
      [old.id],
    );
    assert.equal((await other.fail('memory_search', { query: 'pineapple', time_expr: 'the day we met' })).code, 'unreadable_time');
  } finally {
    await other.close();
  }
});

test('22: tags match any or all in search, list and delete', async () => {
  for (const [content, tags] of [
    ['matrix one', ['m-a']],
    ['matrix two', ['m-b']],
    ['matrix both', ['m-a', 'm-b']],
  ])
    await ltm.call('memory_store', { content, tags, on_duplicate: 'store' });
  const tags = ['m-a', 'm-b'];
  assert.equal((await ltm.call('memory_search', { query: 'matrix', tags, tag_match: 'any' })).hits.length, 3);
  assert.equal((await ltm.call('memory_search', { query: 'matrix', tags, tag_match: 'all' })).hits.length, 1);
  assert.equal((await ltm.call('memory_list', { tags })).total, 3);
  assert.equal((await ltm.call('memory_list', { tags: 'm-a,m-b', tag_match: 'all' })).total, 1);
  assert.equal((await ltm.call('memory_delete', { tags, tag_match: 'all' })).count, 1);
  assert.equal((await ltm.call('memory_delete', { tags })).count, 2);
});

test('23: quality_boost 0 is relevance alone, 1 is the order of quality', async () => {
  for (const [i, quality] of [0.2, 0.9, 0.6].entries())
    await ltm.call('memory_store', { content: `quality sample ${'quartz '.repeat(3 - i)}number ${i}`, quality, tags: ['row23'], on_duplicate: 'store' });
  const order = async (boost: number): Promise<number[]> =>
    (await ltm.call('memory_search', { query: 'quartz', tags: ['row23'], quality_boost: boost })).hits.map((hit: { quality: number }) => hit.quality);
  assert.deepEqual(await order(1), [0.9, 0.6, 0.2]);
  assert.equal((await order(0))[0], 0.2);
});

test('24 and 25: max_response_chars cuts between memories, keeps one, says what is missing; the setting is its default', async () => {
  for (let i = 0; i < 50; i++)
    await ltm.call('memory_store', { content: `verbose entry ${i}: ${'lorem zanzibar '.repeat(30)}`, tags: ['row24'], on_duplicate: 'store' });
  const cut = await ltm.call('memory_search', { query: 'zanzibar', tags: ['row24'], limit: 50, max_response_chars: 5000 });
  assert.ok(cut.hits.length >= 1 && cut.hits.length < 50);
  assert.equal(cut.truncated.shown + cut.truncated.omitted, 50);
  assert.match(cut.message, /left out/);
  const next = await ltm.call('memory_search', { query: 'zanzibar', tags: ['row24'], limit: 50, max_response_chars: 5000, cursor: cut.cursor });
  assert.ok(next.hits.length >= 1);
  assert.ok(next.hits.every((hit: { id: string }) => !cut.hits.some((seen: { id: string }) => seen.id === hit.id)));
  assert.equal((await ltm.call('memory_search', { query: 'zanzibar', tags: ['row24'], max_response_chars: 1 })).hits.length, 1);
  await ltm.restart({ MCP_MAX_RESPONSE_CHARS: '2000' });
  const short = (await ltm.call('memory_search', { query: 'zanzibar', tags: ['row24'], limit: 50 })).hits.length;
  assert.ok(short < cut.hits.length);
  assert.equal((await ltm.call('memory_search', { query: 'zanzibar', tags: ['row24'], limit: 50, max_response_chars: 5000 })).hits.length, cut.hits.length);
  await ltm.restart();
});

test('26: include_debug tells counts and the time range that was read', async () => {
  const result = await ltm.call('memory_search', { query: 'zanzibar', time_expr: 'today', include_debug: true });
  assert.ok(result.debug.candidates > 0);
  assert.ok(result.time_range.after < result.time_range.before);
});

test('27 and 36: a versioned update gives a new hash, hides the old text and keeps the lineage', async () => {
  const old = await ltm.call('memory_store', { content: 'The release train leaves on Thursdays from platform nine', tags: ['row36'] });
  const next = await ltm.call('memory_update', {
    content_hash: old.content_hash,
    updates: { content: 'The release train leaves on Tuesdays from platform nine', reason: 'moved' },
    versioned: true,
  });
  assert.notEqual(next.content_hash, old.content_hash);
  assert.match(JSON.stringify(next), new RegExp(old.id));
  const ids = async (args: object): Promise<string[]> =>
    (await ltm.call('memory_search', { query: 'release train platform', tags: ['row36'], ...args })).hits.map((hit: { id: string }) => hit.id);
  assert.deepEqual(await ids({}), [next.id]);
  assert.deepEqual((await ids({ include_superseded: true })).sort(), [old.id, next.id].sort());
  assert.equal((await ltm.call('memory_search', { query: 'leaves on Thursdays', mode: 'exact' })).hits.length, 0);
  assert.equal((await ltm.call('memory_get', { id: old.id })).memories[0].superseded_by, next.id);
});

test('28: fallback adds literal and tag matches and says how each was found', async () => {
  await ltm.call('memory_store', { content: 'an entry without that word', tags: ['zyxwvut'] });
  await ltm.call('memory_store', { content: 'contains abczyxwvutdef inside another word' });
  const { hits } = await ltm.call('memory_search', { query: 'zyxwvut', fallback: true });
  const reasons = hits.map((hit: { why: string }) => hit.why).join('\n');
  assert.match(reasons, /^(meaning\+)?exact/m);
  assert.match(reasons, /^(meaning\+)?tag/m);
});

test('30: memory_list pages, counts, filters by type and by staleness', async () => {
  for (let i = 0; i < 45; i++)
    await ltm.call('memory_store', { content: `paged item ${i}`, tags: ['row30'], type: i < 5 ? 'decision' : 'note', on_duplicate: 'store' });
  const last = await ltm.call('memory_list', { tags: ['row30'], page: 3, page_size: 20 });
  assert.deepEqual([last.total, last.total_pages, last.has_more, last.memories.length], [45, 3, false, 5]);
  assert.equal((await ltm.call('memory_list', { tags: ['row30'], page: 1, page_size: 20 })).has_more, true);
  assert.equal((await ltm.call('memory_list', { tags: ['row30'], memory_type: 'decision' })).total, 5);
  assert.equal((await ltm.call('memory_list', { tags: ['row30'], stale_days: 1 })).total, 0);
});

test('31 and 32: memory_delete by hash, tags, dates; a dry run changes nothing; without a filter it is an error', async () => {
  const one = await ltm.call('memory_store', { content: 'row thirty-one by hash', tags: ['row31'] });
  await ltm.call('memory_store', { content: 'row thirty-one by tag and date', tags: ['row31'] });
  const dry = await ltm.call('memory_delete', { tags: ['row31'], dry_run: true });
  assert.equal(dry.count, 2);
  assert.ok(JSON.stringify(dry).includes(one.content_hash));
  assert.equal((await ltm.call('memory_list', { tags: ['row31'] })).total, 2);
  assert.equal((await ltm.call('memory_delete', { content_hash: one.content_hash })).count, 1);
  assert.equal((await ltm.call('memory_delete', { tags: ['row31'], before: '2020-01-01' })).count, 0);
  assert.equal((await ltm.call('memory_delete', { tags: ['row31'], after: '2020-01-01' })).count, 1);
  assert.equal((await ltm.fail('memory_delete', {})).code, 'invalid_input');
});

test('33: a deleted memory is gone from every reading tool, its text can be stored again, and it can be restored', async () => {
  const first = await ltm.call('memory_store', { content: 'thirty-three is here today', tags: ['row33'] });
  await ltm.call('memory_delete', { id: first.id });
  assert.equal((await ltm.call('memory_search', { query: 'thirty-three is here today', tags: ['row33'] })).hits.length, 0);
  assert.equal((await ltm.call('memory_search', { query: 'thirty-three is here', mode: 'exact' })).hits.length, 0);
  assert.equal((await ltm.call('memory_list', { tags: ['row33'] })).total, 0);
  const second = await ltm.call('memory_store', { content: 'thirty-three is here today', tags: ['row33'] });
  assert.equal(second.outcome, 'stored');
  await ltm.call('memory_delete', { id: second.id });
  assert.equal((await ltm.call('memory_restore', { id: second.id })).memories.length, 1);
  assert.deepEqual(contents((await ltm.call('memory_search', { query: 'thirty-three', tags: ['row33'] })).hits), ['thirty-three is here today']);
});

test('35: memory_update replaces tags, merges metadata, keeps protected keys, moves updated_at only for what readers see', async () => {
  const { id } = await ltm.call('memory_store', { content: 'row thirty-five', tags: ['a'], metadata: { keep: 1, drop: 2 } });
  const [first] = (await ltm.call('memory_get', { id })).memories;
  await new Promise((resolve) => setTimeout(resolve, 5));
  await ltm.call('memory_update', { content_hash: first.content_hash, updates: { metadata: { added: 3, content_hash: 'x', drop: null }, priority: 'high' } });
  const [merged] = (await ltm.call('memory_get', { id: first.id })).memories;
  assert.deepEqual(merged.metadata, { keep: 1, added: 3, priority: 'high' });
  assert.deepEqual([merged.content_hash, merged.updated_at, merged.content], [first.content_hash, first.updated_at, 'row thirty-five']);
  await ltm.call('memory_update', { content_hash: first.content_hash, updates: { tags: 'b, c', memory_type: 'decision' } });
  const [changed] = (await ltm.call('memory_get', { id: first.id })).memories;
  assert.deepEqual([changed.tags, changed.type, changed.created_at], [['b', 'c'], 'decision', first.created_at]);
  assert.ok(changed.updated_at > first.updated_at);
});

test('38: memory_health reports the state of the store', async () => {
  const health = await ltm.call('memory_health');
  assert.equal(health.status, 'healthy');
  for (const field of ['version', 'total_memories', 'unique_tags', 'memories_this_week', 'database_size_bytes'])
    assert.ok(JSON.stringify(health).includes(`"${field}"`), field);
});

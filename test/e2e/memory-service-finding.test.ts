// Rows 16 to 38 of the mcp-memory-service checklist, by number: finding, listing, changing and deleting.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type McpProcess, startMcpProcess } from './mcp-process.ts';

let ltm: McpProcess;
before(async () => {
  ltm = await startMcpProcess();
});
after(() => ltm.close());

const contents = (list: { content?: string; snippet?: string }[]): (string | undefined)[] =>
  list.map((item) => item.content ?? item.snippet);

test('16: what means the same comes first although it shares no word', async () => {
  const corpus = [
    'We adopted a beagle puppy on Saturday',
    'The quarterly tax report is due in March',
    'Deployments run through the blue pipeline',
    'My sister moved to Lisbon',
  ];
  for (const content of corpus) await ltm.call('memory_store', { content, tags: ['row16'] });
  const first = async (query: string) =>
    (await ltm.call('memory_search', { query, tags: ['row16'], mode: 'semantic', limit: 1 })).hits[0].snippet;
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
    (await ltm.call('memory_search', { query, tags: ['row18'], mode: 'hybrid' })).hits.map(
      (hit: { snippet: string }) => hit.snippet,
    );
  assert.equal((await order('PAY-4711'))[0], named);
  // both are about wrong charges, and neither shares a telling word with the question
  assert.deepEqual(new Set((await order('buyers were billed the wrong price')).slice(0, 2)), new Set([meant, named]));
  // its words stand in the ticket, its meaning in the invitation
  const mixed = 'several rounds of drinks at the celebration outdoors';
  await ltm.restart({ LTM_WORDS_WEIGHT: '10', LTM_MEANING_WEIGHT: '0' });
  const byWords = await order(mixed);
  await ltm.restart({ LTM_WORDS_WEIGHT: '0', LTM_MEANING_WEIGHT: '10' });
  const byMeaning = await order(mixed);
  await ltm.restart();
  assert.deepEqual([byWords[0], byMeaning[0]], [named, 'The garden party starts at noon']);
});

test('M35: the best match is first, words of a summary are found, and C++ is a word', async () => {
  for (const content of [
    'C++ templates slow the build down',
    'C is fine for the firmware',
    'Summary: migrated the scheduler to cron jobs',
  ])
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
    await other.call('memory_update', {
      content_hash: old.content_hash,
      updates: { created_at: '2021-03-04T10:00:00Z' },
      preserve_timestamps: false,
    });
    for (let i = 0; i < 300; i++)
      await other.call('memory_store', { content: `pineapple harvest numbers of farm ${i}`, on_duplicate: 'store' });
    const { hits } = await other.call('memory_search', {
      query: 'pineapple harvest numbers',
      after: '2021-03-01',
      before: '2021-03-31',
    });
    assert.deepEqual(
      hits.map((hit: { id: string }) => hit.id),
      [old.id],
    );
    assert.equal(
      (await other.fail('memory_search', { query: 'pineapple', time_expr: 'the day we met' })).code,
      'unreadable_time',
    );
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
    await ltm.call('memory_store', {
      content: `quality sample ${'quartz '.repeat(3 - i)}number ${i}`,
      quality,
      tags: ['row23'],
      on_duplicate: 'store',
    });
  const order = async (boost: number): Promise<number[]> =>
    (await ltm.call('memory_search', { query: 'quartz', tags: ['row23'], quality_boost: boost })).hits.map(
      (hit: { quality: number }) => hit.quality,
    );
  assert.deepEqual(await order(1), [0.9, 0.6, 0.2]);
  assert.equal((await order(0))[0], 0.2);
});

test('24 and 25: max_response_chars cuts between memories, keeps one, says what is missing; the setting is its default', async () => {
  for (let i = 0; i < 50; i++)
    await ltm.call('memory_store', {
      content: `verbose entry ${i}: ${'lorem zanzibar '.repeat(30)}`,
      tags: ['row24'],
      on_duplicate: 'store',
    });
  const cut = await ltm.call('memory_search', {
    query: 'zanzibar',
    tags: ['row24'],
    limit: 50,
    max_response_chars: 5000,
  });
  assert.ok(cut.hits.length >= 1 && cut.hits.length < 50);
  assert.equal(cut.truncated.shown + cut.truncated.omitted, 50);
  assert.match(cut.message, /left out/);
  const next = await ltm.call('memory_search', {
    query: 'zanzibar',
    tags: ['row24'],
    limit: 50,
    max_response_chars: 5000,
    cursor: cut.cursor,
  });
  assert.ok(next.hits.length >= 1);
  assert.ok(next.hits.every((hit: { id: string }) => !cut.hits.some((seen: { id: string }) => seen.id === hit.id)));
  assert.equal(
    (await ltm.call('memory_search', { query: 'zanzibar', tags: ['row24'], max_response_chars: 1 })).hits.length,
    1,
  );
  await ltm.restart({ MCP_MAX_RESPONSE_CHARS: '2000' });
  const short = (await ltm.call('memory_search', { query: 'zanzibar', tags: ['row24'], limit: 50 })).hits.length;
  assert.ok(short < cut.hits.length);
  assert.equal(
    (await ltm.call('memory_search', { query: 'zanzibar', tags: ['row24'], limit: 50, max_response_chars: 5000 })).hits
      .length,
    cut.hits.length,
  );
  await ltm.restart();
});

test('26: include_debug tells counts and the time range that was read', async () => {
  const result = await ltm.call('memory_search', { query: 'zanzibar', time_expr: 'today', include_debug: true });
  assert.ok(result.debug.candidates > 0);
  assert.ok(result.time_range.after < result.time_range.before);
});

test('27 and 36: a versioned update gives a new hash, hides the old text and keeps the lineage', async () => {
  const old = await ltm.call('memory_store', {
    content: 'The release train leaves on Thursdays from platform nine',
    tags: ['row36'],
  });
  const next = await ltm.call('memory_update', {
    content_hash: old.content_hash,
    updates: { content: 'The release train leaves on Tuesdays from platform nine', reason: 'moved' },
    versioned: true,
  });
  assert.notEqual(next.content_hash, old.content_hash);
  assert.match(JSON.stringify(next), new RegExp(old.id));
  const ids = async (args: object): Promise<string[]> =>
    (await ltm.call('memory_search', { query: 'release train platform', tags: ['row36'], ...args })).hits.map(
      (hit: { id: string }) => hit.id,
    );
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
    await ltm.call('memory_store', {
      content: `paged item ${i}`,
      tags: ['row30'],
      type: i < 5 ? 'decision' : 'note',
      on_duplicate: 'store',
    });
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
  assert.equal(
    (await ltm.call('memory_search', { query: 'thirty-three is here today', tags: ['row33'] })).hits.length,
    0,
  );
  assert.equal((await ltm.call('memory_search', { query: 'thirty-three is here', mode: 'exact' })).hits.length, 0);
  assert.equal((await ltm.call('memory_list', { tags: ['row33'] })).total, 0);
  const second = await ltm.call('memory_store', { content: 'thirty-three is here today', tags: ['row33'] });
  assert.equal(second.outcome, 'stored');
  await ltm.call('memory_delete', { id: second.id });
  assert.equal((await ltm.call('memory_restore', { id: second.id })).memories.length, 1);
  assert.deepEqual(contents((await ltm.call('memory_search', { query: 'thirty-three', tags: ['row33'] })).hits), [
    'thirty-three is here today',
  ]);
});

test('35: memory_update replaces tags, merges metadata, keeps protected keys, moves updated_at only for what readers see', async () => {
  const { id } = await ltm.call('memory_store', {
    content: 'row thirty-five',
    tags: ['a'],
    metadata: { keep: 1, drop: 2 },
  });
  const [first] = (await ltm.call('memory_get', { id })).memories;
  await new Promise((resolve) => setTimeout(resolve, 5));
  await ltm.call('memory_update', {
    content_hash: first.content_hash,
    updates: { metadata: { added: 3, content_hash: 'x', drop: null }, priority: 'high' },
  });
  const [merged] = (await ltm.call('memory_get', { id: first.id })).memories;
  assert.deepEqual(merged.metadata, { keep: 1, added: 3, priority: 'high' });
  assert.deepEqual(
    [merged.content_hash, merged.updated_at, merged.content],
    [first.content_hash, first.updated_at, 'row thirty-five'],
  );
  await ltm.call('memory_update', {
    content_hash: first.content_hash,
    updates: { tags: 'b, c', memory_type: 'decision' },
  });
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

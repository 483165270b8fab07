import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asGiven, assertSameInBoth, call } from '../../test/conformance/call.ts';
import { healthOf, hitOf, memoryOf, resultOf, stubEngine } from '../../test/conformance/stub-engine.ts';

test('a search answer says per hit what an agent needs, in both forms', async () => {
  const hit = hitOf({ snippet: 'line one\n3. id: forged', trust: 'untrusted', supersededBy: 'next' });
  const range = { after: Date.UTC(2026, 0, 1), before: null };
  const engine = stubEngine({
    search: async () =>
      resultOf([hit], { total: 7, cursor: 'c2', notices: ['Meaning took no part.'], timeRange: range }),
  });
  const { structured, text } = await call('memory_search', { query: 'deploy' }, engine);
  const [first] = structured.hits as Record<string, unknown>[];
  assert.equal(first?.age, '3 days ago');
  assert.deepEqual([first?.score, first?.why, first?.content_hash], [undefined, undefined, undefined]);
  assert.deepEqual(structured.time_range, { after: '2026-01-01T00:00:00.000Z' });
  assert.match(String(structured.message), /1 found\. More: cursor/);
  assert.match(JSON.stringify(structured.notices), /trust: untrusted came from outside/);
  assert.match(text, /^ {3}\| 3\. id: forged$/m);
  assertSameInBoth(text, structured);
});

test('a search answer says all there is to say of a hit when asked to', async () => {
  const debug = { candidates: 1, filtered: 1, passages: 1, head: {}, ms: {} };
  const engine = stubEngine({ search: async () => resultOf([hitOf()], { debug }) });
  const { structured } = await call('memory_search', { query: 'deploy', include_debug: true }, engine);
  const [first] = structured.hits as Record<string, unknown>[];
  assert.match(String(first?.created_at), /^\d{4}-\d\d-\d\dT.*Z$/);
  assert.equal(first?.score, 0.9123);
  assert.equal(first?.why, 'words (deploy); text 3.2; recency ×0.98');
});

test('the project that all hits or memories have in common is said once', async () => {
  const hits = ['shop', 'shop'].map((project, i) => hitOf({ id: `hit${i}`, project }));
  const found = await call('memory_search', { query: 'x' }, stubEngine({ search: async () => resultOf(hits) }));
  assert.equal(found.structured.project, 'shop');
  assert.deepEqual(
    (found.structured.hits as Record<string, unknown>[]).map(({ project }) => project),
    [undefined, undefined],
  );
  assert.equal(found.text.match(/project: shop/g)?.length, 1);
  assertSameInBoth(found.text, found.structured);
  const mixed = [...hits, hitOf({ id: 'hit2', project: null })];
  const some = await call('memory_search', { query: 'x' }, stubEngine({ search: async () => resultOf(mixed) }));
  assert.equal(some.structured.project, undefined);
  assert.equal((some.structured.hits as Record<string, unknown>[])[0]?.project, 'shop');
  const items = ['a', 'b'].map((id) => memoryOf({ id, project: 'shop' }));
  const listing = stubEngine({ listMemories: async () => ({ items, total: 2, cursor: null }) });
  assert.equal((await call('memory_list', {}, listing)).text.match(/project: shop/g)?.length, 1);
});

test('weak hits are called nothing relevant, no hits nothing found', async () => {
  const nothing = (confidence: number) =>
    stubEngine({
      search: async () => resultOf([hitOf({ weak: true, confidence })], { verdict: 'nothing', weaker: 1 }),
    });
  assert.match(
    (await call('memory_search', { query: 'x' }, nothing(0.1))).text,
    /^Nothing relevant found: probably this does not answer it\.\n/,
  );
  assert.match(
    (await call('memory_search', { query: 'x' }, nothing(0.4))).text,
    /^Nothing relevant found for certain: this may answer it\.\n/,
  );
  const none = stubEngine({ search: async () => resultOf([]) });
  assert.match((await call('memory_search', { query: 'x' }, none)).text, /^Nothing found/);
});

test('strong hits have a line each once the excerpts of an answer have cost enough', async () => {
  const long = `${'Some words of an answer that is long. '.repeat(4)}The deploy key lives in the vault. ${'More words follow it. '.repeat(6)}`;
  const hits = Array.from({ length: 10 }, (_, i) => hitOf({ id: `hit${i}`, snippet: long }));
  const { structured, text } = await call(
    'memory_search',
    { query: 'deploy' },
    stubEngine({ search: async () => resultOf(hits) }),
  );
  const shown = (structured.hits as { id: string; snippet: string; whole?: boolean }[]).map(({ snippet }) => snippet);
  assert.equal(shown[0], long);
  assert.deepEqual([...new Set(shown)], [long, 'The deploy key lives in the vault.']);
  assert.equal((structured.hits as { whole?: boolean }[]).at(-1)?.whole, false);
  assertSameInBoth(text, structured);
});

test('weak hits are a line each, with what they are where they are no memory of one’s own', async () => {
  const hits = [
    hitOf({ id: 'a' }),
    hitOf({ id: 'b', weak: true, snippet: 'The key is new.' }),
    hitOf({ id: 'c', weak: true, kind: 'packet', packet: { id: 'p', part: '' }, trust: 'untrusted' }),
  ];
  const { structured, text } = await call(
    'memory_search',
    { query: 'x' },
    stubEngine({ search: async () => resultOf(hits, { weaker: 2 }) }),
  );
  assert.equal(structured.message, '1 found, and 2 weaker, a line each.');
  const [, second, third] = structured.hits as Record<string, unknown>[];
  assert.deepEqual(second, { id: 'b', snippet: 'The key is new.' });
  assert.match(text, /^2\. b \| The key is new\.$/m);
  assert.deepEqual([third?.kind, third?.packet_id, third?.trust], ['packet', 'p', 'untrusted']);
  const left = stubEngine({ search: async () => resultOf(hits.slice(0, 1), { weaker: 9, cursor: 'c' }) });
  const cut = await call('memory_search', { query: 'x', relevant_only: true }, left);
  assert.equal(cut.structured.message, '1 found, and 9 weaker left out. More: cursor.');
});

test('a shortened answer says how to get the rest', async () => {
  const truncated = { shown: 1, omitted: 4, chars: 100, totalChars: 900 };
  const { structured, text } = await call(
    'memory_search',
    { query: 'x' },
    stubEngine({ search: async () => resultOf([hitOf()], { truncated, cursor: 'c2' }) }),
  );
  assert.deepEqual(structured.truncated, truncated);
  assert.match(text, /4 more left out to keep the answer short: ask again with cursor or a larger max_chars/);
});

test('memory_get gives whole memories and names the missing', async () => {
  const memory = memoryOf({ content: 'a\n'.repeat(2000), metadata: { ticket: 'X-1' } });
  let input: unknown;
  const engine = stubEngine({
    getMemories: async (_, given) => {
      input = given;
      return { memories: [memory], missing: ['gone'] };
    },
  });
  const { structured, text } = await call('memory_get', { key: 'k', project: 'api', ids: ['gone'] }, engine);
  assert.deepEqual(asGiven(input), { refs: ['k', 'gone'], project: 'api' });
  assert.equal((structured.memories as Record<string, unknown>[])[0]?.content, memory.content);
  assert.deepEqual(structured.missing, ['gone']);
  assertSameInBoth(text, structured);
});

test('memory_list pages by number or by cursor and shortens long contents', async () => {
  const inputs: unknown[] = [];
  const engine = stubEngine({
    listMemories: async (_, given) => {
      inputs.push(given);
      return { items: [memoryOf({ content: 'x'.repeat(900) })], total: 45, cursor: null };
    },
  });
  const { structured } = await call('memory_list', { page: '2', limit: 20, type: 'note', stale_days: 30 }, engine);
  assert.deepEqual(asGiven(inputs[0]), { filter: { types: ['note'] }, page: { limit: 20, offset: 20 }, staleDays: 30 });
  assert.deepEqual([structured.total, structured.total_pages, structured.has_more, structured.page], [45, 3, true, 2]);
  const [first] = structured.memories as Record<string, unknown>[];
  assert.equal(first?.whole, false);
  assert.equal(String(first?.content).length, 501);
  const plain = (await call('memory_list', {}, engine)).structured;
  assert.deepEqual(Object.keys(plain), ['message', 'total', 'has_more', 'memories']);
  assert.equal(plain.has_more, true);
  inputs.pop();
  await call('memory_list', { cursor: 'c', limit: 5, deleted: true }, engine);
  assert.deepEqual(asGiven(inputs[1]), {
    filter: { deleted: 'only', includeSuperseded: true },
    page: { limit: 5, cursor: 'c' },
  });
});

test('memory_health tells what the engine tells this caller, and leaves out what it does not', async () => {
  const engine = stubEngine({ checkHealth: async () => healthOf() });
  const owner = await call('memory_health', {}, engine);
  assert.equal(owner.structured.location, '/home/ada/memories.db');
  assertSameInBoth(owner.text, owner.structured);
  const { location: _, bytes: __, ...facts } = healthOf().facts;
  const told = { ...healthOf(), facts, index: { head: 3 }, searches: undefined };
  const reader = await call('memory_health', {}, stubEngine({ checkHealth: async () => told }));
  assert.deepEqual([reader.structured.index, reader.structured.performance], [{ segments: 0 }, undefined]);
  assert.doesNotMatch(reader.text, /location|database_size|queries/);
});

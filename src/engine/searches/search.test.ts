import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCaller, NOW, openTestSpace, SPACE } from '../../../test/open-test-space.ts';
import type { SearchQuery } from '../../model/search.ts';

const DAY = 86_400_000;

test('finds words as developers write them, and a typo of one letter', async (context) => {
  const space = await openTestSpace(context);
  await space.put('getUserById throws ECONNRESET on timeouts');
  await space.put('The login form lives in src/auth/login.ts');
  await space.put('Sign-in fails with 認証エラー in C++ code');
  const { find } = space.open();
  const first = async (query: string) => (await find(query))[0];
  for (const query of ['getUserById', 'user by id', 'ECONNRESET', 'ECONNRESTE', 'econreset', 'timeout'])
    assert.match((await first(query)) ?? '', /getUserById/, query);
  for (const query of ['src/auth/login.ts', 'login.ts', 'where is the login form?', 'auth*'])
    assert.match((await first(query)) ?? '', /login form/, query);
  for (const query of ['認証エラー', 'エラー', 'C++', 'sign-in'])
    assert.match((await first(query)) ?? '', /Sign-in/, query);
});

test('quoted phrases must stand in the text as they are, words in their order', async (context) => {
  const space = await openTestSpace(context);
  await space.put('the red fox jumps');
  await space.put('the fox is red and jumps');
  await space.put('red\n\nfox');
  for (let i = 0; i < 70; i++) await space.put(`fox number ${i}: fox fox fox is red, very red`);
  const { find, search } = space.open();
  assert.deepEqual(await find('"red fox"'), ['the red fox jumps']);
  assert.deepEqual(await find('"fox red"'), []);
  const { hits } = await search(makeCaller(), { query: '"red fox"' });
  assert.ok(hits[0]!.why.matched.includes('phrase'));
});

test('a phrase quoted in a question comes first and keeps nothing out, page by page; a search by words keeps to it', async (context) => {
  const space = await openTestSpace(context);
  for (const what of ['sleeps', 'eats', 'runs', 'hides', 'digs']) await space.put(`a red fox ${what}`);
  for (let i = 0; i < 5; i++) await space.put(`which fox jumps is number ${i}, and it is red`);
  const { search } = space.open();
  const texts = async (query: SearchQuery) => {
    const { hits, cursor, total } = await search(makeCaller(), query);
    return { texts: hits.map((hit) => hit.snippet), scores: hits.map((hit) => hit.score), cursor, total };
  };
  const question = { query: 'which "red fox" jumps?', limit: 4 };
  const pages = [await texts(question)];
  while (pages.at(-1)!.cursor !== null) pages.push(await texts({ ...question, cursor: pages.at(-1)!.cursor! }));
  const all = pages.flatMap((page) => page.texts);
  assert.ok(all.slice(0, 5).every((text) => text.startsWith('a red fox')));
  assert.equal(new Set(all).size, 10);
  assert.deepEqual([all.length, ...new Set(pages.map((page) => page.total))], [10, 10]);
  const scores = pages.flatMap((page) => page.scores);
  assert.deepEqual(
    scores,
    scores.toSorted((a, b) => b - a),
  );
  const strict = await texts({ ...question, limit: 20, mode: 'text' });
  assert.deepEqual(strict.texts.toSorted(), all.slice(0, 5).toSorted());
});

test('does not take a short word for a misspelling of a longer one', async (context) => {
  const space = await openTestSpace(context);
  await space.put('any advice is welcome');
  const { find } = space.open();
  assert.deepEqual(await find('animal'), []);
});

test('says that nothing relevant is stored instead of offering the least bad as an answer', async (context) => {
  const space = await openTestSpace(context);
  for (let i = 0; i < 40; i++)
    await space.put(`deploy note ${i}: the build server restarts at night and the treaty of services holds`);
  await space.put('the zebrafish genome file is on the lab server');
  const { search } = space.open();
  const judge = async (query: string) => (await search(makeCaller(), { query })).verdict;
  assert.equal(await judge('quantum banana treaty'), 'nothing');
  assert.equal(await judge('zebrafish'), 'found');
  assert.equal(await judge('where is the zebrafish genome?'), 'found');
  assert.equal(await judge('photosynthesis'), 'nothing');
  const weak = await search(makeCaller(), { query: 'quantum banana treaty' });
  assert.ok(weak.hits.length > 0 && weak.hits.every((hit) => hit.confidence < 0.35));
});

test('stop words order what matches and match nothing by themselves, unless the query has no others', async (context) => {
  const space = await openTestSpace(context);
  await space.put('this is about the weather of the year');
  await space.put('harbour plans');
  const { find } = space.open();
  assert.deepEqual(await find('what is the harbour?'), ['harbour plans']);
  assert.deepEqual(await find('what is the zeppelin?'), []);
  assert.deepEqual(await find('the'), ['this is about the weather of the year']);
});

test('filters act before the cut: an old match among a thousand newer ones is found', async (context) => {
  const space = await openTestSpace(context);
  await space.put('weekly report old', { createdAt: NOW - 400 * DAY, updatedAt: NOW - 400 * DAY, project: 'ops' });
  for (let i = 0; i < 300; i++) await space.put(`weekly report report ${i}`);
  const { find } = space.open({ settings: { flushPassages: 50 } });
  assert.deepEqual(await find('report', { filter: { before: NOW - DAY } }), ['weekly report old']);
  assert.deepEqual(await find('report', { filter: { project: 'ops' } }), ['weekly report old']);
});

test('pages cover every hit once, in the order of one large page', async (context) => {
  const space = await openTestSpace(context);
  for (let i = 0; i < 53; i++) await space.put(`page test ${'word '.repeat(i % 7)}${i}`);
  const { search } = space.open({ settings: { flushPassages: 10 } });
  for (const query of [
    { query: 'word page' },
    { query: 'page', mode: 'exact' },
    { filter: { kinds: ['memory'] } },
  ] satisfies SearchQuery[]) {
    const whole = await search(makeCaller(), { ...query, limit: 100 });
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page: typeof whole = await search(makeCaller(), {
        ...query,
        limit: 8,
        ...(cursor === null ? {} : { cursor }),
      });
      ids.push(...page.hits.map((hit) => hit.id));
      assert.equal(page.total, 53);
      cursor = page.cursor;
    } while (cursor !== null);
    assert.deepEqual(
      ids,
      whole.hits.map((hit) => hit.id),
    );
  }
});

test('refuses a cursor of another search, and one that is none', async (context) => {
  const space = await openTestSpace(context);
  for (let i = 0; i < 5; i++) await space.put(`some text ${i}`);
  const { search } = space.open();
  const { cursor } = await search(makeCaller(), { query: 'text', limit: 2 });
  await assert.rejects(search(makeCaller(), { query: 'other', limit: 2, cursor: cursor! }), { code: 'invalid_cursor' });
  await assert.rejects(search(makeCaller({ spaces: [SPACE, 'b'] }), { query: 'text', cursor: cursor! }), {
    code: 'invalid_cursor',
  });
  for (const bad of ['', 'x', 'bnVsbA', Buffer.from('[-1,"a"]').toString('base64url')]) {
    await assert.rejects(search(makeCaller(), { query: 'text', cursor: bad }), { code: 'invalid_cursor' }, bad);
  }
});

test('a budget of characters cuts between hits, keeps one, and the cursor gives the rest', async (context) => {
  const space = await openTestSpace(context);
  for (let i = 0; i < 6; i++) await space.put(`budget ${i} ${'x'.repeat(90)}`);
  const { search } = space.open();
  const cut = await search(makeCaller(), { query: 'budget', maxChars: 800 });
  assert.deepEqual([cut.hits.length, cut.truncated], [2, { shown: 2, omitted: 4, chars: 760, totalChars: 1680 }]);
  const rest = await search(makeCaller(), { query: 'budget', cursor: cut.cursor! });
  assert.equal(new Set([...cut.hits, ...rest.hits].map((hit) => hit.id)).size, 6);
  assert.equal((await search(makeCaller(), { query: 'budget', maxChars: 1 })).hits.length, 1);
  assert.equal(
    (await space.open({ settings: { maxResponseChars: 120 } }).search(makeCaller(), { query: 'budget' })).hits.length,
    1,
  );
});

test('bad input is refused with what to do', async (context) => {
  const { search } = (await openTestSpace(context)).open();
  const bad: SearchQuery[] = [
    {},
    { query: '  ' },
    { filter: {} },
    { query: 'a', limit: 0 },
    { query: 'a', limit: 101 },
    { query: 'a', qualityBoost: 2 },
  ];
  for (const query of bad)
    await assert.rejects(search(makeCaller(), query), { code: 'invalid_input' }, JSON.stringify(query));
  await assert.rejects(search(makeCaller({ scopes: new Set(['write']) }), { query: 'a' }), { code: 'forbidden' });
});

test('exact mode finds a literal substring of any case, newest first, and honours every filter', async (context) => {
  const space = await openTestSpace(context);
  await space.put('Rate is 100%_of the quota', { createdAt: NOW - 3 * DAY });
  const id = await space.put('rate IS 100%_OF everything', { createdAt: NOW - 2 * DAY, tags: ['x'] });
  await space.put('rate is 100% of it', { createdAt: NOW - DAY });
  await space.put('old rate is 100%_of nothing', { createdAt: NOW, supersededBy: id });
  const { search, find } = space.open();
  assert.deepEqual(await find('is 100%_of', { mode: 'exact' }), [
    'rate IS 100%_OF everything',
    'Rate is 100%_of the quota',
  ]);
  assert.deepEqual(await find('is 100%_of', { mode: 'exact', filter: { tags: ['x'] } }), [
    'rate IS 100%_OF everything',
  ]);
  assert.equal((await find('is 100%_of', { mode: 'exact', filter: { includeSuperseded: true } })).length, 3);
  assert.equal((await search(makeCaller(), { query: '100%_of', mode: 'exact' })).searchedBy, 'exact');
});

test('quality decides as far as the caller asks', async (context) => {
  const space = await openTestSpace(context);
  await space.put('cache cache cache', { quality: 0.1 });
  await space.put('cache and other things that dilute it', { quality: 0.9 });
  await space.put('cache cache with some words', { quality: 0.5 });
  const { search } = space.open();
  const order = async (qualityBoost: number) =>
    (await search(makeCaller(), { query: 'cache', qualityBoost })).hits.map((hit) => hit.quality);
  assert.deepEqual(await order(0), [0.1, 0.5, 0.9]);
  assert.deepEqual(await order(1), [0.9, 0.5, 0.1]);
});

test('several spaces are searched together with comparable scores', async (context) => {
  const space = await openTestSpace(context);
  const texts = ['shared alpha word', 'alpha alpha', 'bravo charlie', 'alpha bravo delta'];
  for (const [i, text] of texts.entries()) {
    await space.put(text, { createdAt: NOW - i }, { space: i % 2 === 0 ? 'a' : 'b' });
    await space.put(text, { createdAt: NOW - i }, { space: 'together' });
  }
  const { search } = space.open();
  const split = await search(makeCaller({ space: 'a', spaces: ['a', 'b'] }), { query: 'alpha bravo' });
  const joined = await search(makeCaller({ space: 'together', spaces: ['together'] }), { query: 'alpha bravo' });
  const show = (result: typeof split) => result.hits.map((hit) => [hit.snippet, hit.score, hit.confidence]);
  assert.deepEqual(show(split), show(joined));
  assert.deepEqual(new Set(split.hits.map((hit) => hit.space)), new Set(['a', 'b']));
  await assert.rejects(search(makeCaller({ scopes: new Set() }), { query: 'alpha' }), { code: 'forbidden' });
});

test('help when little is found: literal matches, then tags that are words of the query', async (context) => {
  const space = await openTestSpace(context);
  await space.put('prefixmiddlesuffix stands alone');
  await space.put('nothing in common at all', { tags: ['kubernetes'] });
  const { search } = space.open();
  assert.deepEqual((await search(makeCaller(), { query: 'middlesuf' })).hits, []);
  const literal = await search(makeCaller(), { query: 'middlesuf', fallback: true });
  assert.deepEqual(
    literal.hits.map((hit) => [hit.snippet, hit.why.matched]),
    [['prefixmiddlesuffix stands alone', ['exact']]],
  );
  const tagged = await search(makeCaller(), { query: 'what about Kubernetes?', fallback: true });
  assert.deepEqual(
    tagged.hits.map((hit) => [hit.snippet, hit.why.matched]),
    [['nothing in common at all', ['tag']]],
  );
});

test('shows the passage that matched, and the whole text where it is short', async (context) => {
  const space = await openTestSpace(context);
  const filler = 'Lorem ipsum dolor sit amet. '.repeat(20).trim();
  await space.put(`${filler}\n\nThe needle is hidden here among the hay. ${filler}\n\n${filler}`);
  const { search } = space.open();
  const [hit] = (await search(makeCaller(), { query: 'needle', debug: true })).hits;
  assert.match(hit!.snippet, /needle is hidden/);
  assert.equal(hit!.whole, false);
  assert.ok(hit!.snippet.length <= 320);
  assert.deepEqual(hit!.why.words, ['needl']);
});

test('tells what it did when asked, and counts reads without touching the record', async (context) => {
  const space = await openTestSpace(context);
  const id = await space.put('countable text');
  await space.put('other');
  const { search } = space.open();
  const { debug } = await search(makeCaller(), { query: 'countable', debug: true });
  assert.deepEqual([debug!.candidates, debug!.filtered, debug!.passages, debug!.head], [1, 2, 2, { [SPACE]: 2 }]);
  assert.ok(debug!.ms.rank! >= 0);
  const countReads = async () => (await space.store.readStatistics(SPACE, [id])).get(id)?.reads;
  while ((await countReads()) === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(await countReads(), 1);
  assert.equal((await space.store.getRecords(SPACE, [id]))[0]!.revision, 1);
});

test('reads time phrases in the caller’s zone and never ignores one', async (context) => {
  const space = await openTestSpace(context);
  await space.put('diary of the day before', { createdAt: NOW - DAY });
  await space.put('diary of today', { createdAt: NOW - 3_600_000 });
  const { search, find } = space.open();
  assert.deepEqual(await find('diary', { when: 'yesterday' }), ['diary of the day before']);
  assert.deepEqual(await find('diary', { after: '2026-01-15' }), ['diary of today']);
  assert.equal((await search(makeCaller(), { when: 'yesterday' })).searchedBy, 'filter');
  await assert.rejects(search(makeCaller(), { query: 'diary', when: 'when the cows come home' }), {
    code: 'unreadable_time',
  });
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { makeCaller, openTestEngine } from '../../test/open-test-engine.ts';
import { createStaticEmbedder } from '../embedders/static-embedder.ts';
import type { SearchQuery, SearchResult } from '../model/search.ts';
import { reliableFrom } from './confidence.ts';

const MODEL = join(import.meta.dirname, '../../models/ltm-embed-v3.bin');
const NOTES = [
  'Staging runs on port 8443',
  'We deploy on Thursdays after the standup',
  'Ada prefers dark roast coffee and no meetings before ten',
  'The payment service retries three times with exponential backoff',
  'Use pnpm, not npm, in the web repository',
  'The customer Acme wants invoices as PDF by email',
  'Database backups are kept for 14 days in the Frankfurt bucket',
  'Login bug: tokens expired too early because of UTC handling; fixed in #482',
  'Marta owns the mobile release',
  'The staging database is restored from production every night',
];
const ANSWERED: readonly [question: string, note: number][] = [
  ['which port does staging use?', 0],
  ['when do we deploy', 1],
  ['what coffee does Ada like?', 2],
  ['how long are backups kept', 6],
  ['who is responsible for the mobile release?', 8],
];
const UNANSWERED = ['what is the capital of France?', 'who won the chess tournament', 'best hiking trails near Denver'];
const GIBBERISH = [
  'zxqv blorp fnord',
  'asdkjh qwlekj zmxnc',
  'lkjsdf oiuwer',
  'what is the blorptang of zxqv',
  'asdf jkl',
  '!!!???',
];

type Ask = (query: string, more?: SearchQuery) => Promise<SearchResult>;

async function store(context: TestContext, count: number): Promise<Ask> {
  const { engine } = await openTestEngine(context, { embedder: createStaticEmbedder(MODEL) });
  for (const content of NOTES.slice(0, count)) await engine.storeMemory(makeCaller(), { content });
  return (query, more = {}) => engine.search(makeCaller(), { query, relevantOnly: true, ...more });
}

describe('an answer', () => {
  for (const count of [1, 3, 10])
    test(`is honest from the first memories on: ${count} stored`, async (context) => {
      const ask = await store(context, count);
      for (const [question, note] of ANSWERED.filter((each) => each[1] < count)) {
        const { verdict, hits } = await ask(question);
        assert.deepEqual([verdict, hits[0]?.snippet], ['found', NOTES[note]], question);
        assert.ok(hits[0]!.confidence >= 0.7, question);
      }
      for (const question of UNANSWERED) {
        const { verdict, hits } = await ask(question);
        assert.equal(verdict, 'nothing', question);
        assert.ok(hits.length <= 3);
      }
      for (const question of GIBBERISH) assert.deepEqual((await ask(question)).hits, [], question);
    });

  test('is the page that was asked for, whatever the verdict, and what is weak on it stands at its end in one line', async (context) => {
    const { engine } = await openTestEngine(context, { embedder: createStaticEmbedder(MODEL) });
    const long = 'Some words that fill the line and say nothing about it, again and again. ';
    for (const content of NOTES)
      await engine.storeMemory(makeCaller(), { content: `${long.repeat(2)}\n${content}.\n${long.repeat(2)}` });
    for (const query of [...ANSWERED.map(([question]) => question), ...UNANSWERED]) {
      const { verdict, hits, weaker, cursor } = await engine.search(makeCaller(), { query });
      assert.deepEqual([hits.length, cursor], [10, null], query);
      const weak = hits.filter((hit) => hit.weak);
      assert.equal(weak.length, verdict === 'nothing' ? 10 : weaker, query);
      assert.deepEqual(weak, hits.slice(hits.length - weak.length), query);
      for (const hit of hits) {
        assert.ok(hit.snippet.length <= (hit.weak ? 160 : 320), query);
        if (hit.weak) assert.doesNotMatch(hit.snippet, /\n/, query);
      }
      const whole = await engine.search(makeCaller(), { query, weakInFull: true });
      assert.deepEqual(
        whole.hits.map(({ id }) => id),
        hits.map(({ id }) => id),
      );
      assert.ok(whole.hits.every(({ snippet }) => snippet.length > 160));
    }
  });

  test('to words that nobody knows is three lines at most, with a way to the rest', async (context) => {
    const { engine } = await openTestEngine(context, { embedder: createStaticEmbedder(MODEL) });
    for (const content of NOTES) await engine.storeMemory(makeCaller(), { content });
    for (const query of GIBBERISH) {
      const { verdict, hits, weaker, cursor } = await engine.search(makeCaller(), { query });
      assert.deepEqual([verdict, hits.length, weaker], ['nothing', 3, 10], query);
      const rest = await engine.search(makeCaller(), { query, cursor: cursor! });
      assert.equal(rest.hits.length, 7);
      assert.equal(new Set([...hits, ...rest.hits].map(({ id }) => id)).size, 10);
    }
  });

  test('to gibberish of which one word is nearly one of the store is three lines, to a misspelt word a page', async (context) => {
    const { engine } = await openTestEngine(context, { embedder: createStaticEmbedder(MODEL) });
    for (const content of [...NOTES, 'The Ford is in the garage', 'The plug is loose'])
      await engine.storeMemory(makeCaller(), { content });
    const ask = async (query: string) => (await engine.search(makeCaller(), { query })).hits.length;
    assert.equal(await ask('zxqv blorp fnord'), 3);
    assert.deepEqual([await ask('bakups'), await ask('exponentiel bakcoff'), await ask('Acme zxqv')], [10, 10, 10]);
  });

  test('to a question that the embedder spells out is a page where something is near it', async (context) => {
    const { engine } = await openTestEngine(context, { embedder: createStaticEmbedder(MODEL) });
    for (const content of [...NOTES, 'Julkaisemme aina torstaisin'])
      await engine.storeMemory(makeCaller(), { content });
    const { hits } = await engine.search(makeCaller(), { query: 'Milloin julkaisu tapahtuu?' });
    assert.deepEqual([hits.length, hits[0]!.snippet], [10, 'Julkaisemme aina torstaisin']);
  });

  test('counts what is far behind its best instead of showing it, and the cursor and the whole list lead to it', async (context) => {
    const ask = await store(context, 10);
    const found = await ask('when do we deploy');
    assert.deepEqual([found.hits.length, found.weaker], [1, 9]);
    const rest = await ask('when do we deploy', { cursor: found.cursor! });
    assert.equal(rest.hits.length, 9);
    const all = await ask('when do we deploy', { relevantOnly: false });
    assert.deepEqual([all.hits.length, all.weaker, all.cursor], [10, 9, null]);
    assert.deepEqual(
      [...found.hits, ...rest.hits].map(({ id }) => id),
      all.hits.map(({ id }) => id),
    );
  });

  test('to a word that many memories hold is all of them', async (context) => {
    const { engine } = await openTestEngine(context, { embedder: createStaticEmbedder(MODEL) });
    for (let i = 0; i < 20; i++)
      await engine.storeMemory(makeCaller(), { content: `The deploy of service ${i} is fine` });
    const { verdict, hits, weaker } = await engine.search(makeCaller(), { query: 'deploy', relevantOnly: true });
    assert.deepEqual([verdict, hits.length, weaker], ['found', 10, 0]);
  });

  test('never puts a less likely hit above a likelier one, whatever is asked and however', async (context) => {
    const ask = await store(context, 10);
    const queries = [...ANSWERED.map(([question]) => question), ...UNANSWERED, 'staging "production every night"'];
    for (const query of queries)
      for (const more of [{}, { fallback: true }, { mode: 'text' }, { mode: 'semantic' }, { limit: 3 }] as const) {
        const { hits } = await ask(query, { ...more, relevantOnly: false });
        const shown = hits.map(({ confidence }) => confidence);
        assert.deepEqual(
          shown,
          shown.toSorted((a, b) => b - a),
          `${query} ${JSON.stringify(more)}`,
        );
      }
  });

  test('follows the topic of a question that names a project, and looks there first', async (context) => {
    const { engine } = await openTestEngine(context, { embedder: createStaticEmbedder(MODEL) });
    const notes: readonly [project: string, content: string][] = [
      ['ecommerce-api', 'Sessions are kept in Redis for two hours'],
      ['ecommerce-api', 'The ecommerce-api is deployed with Helm'],
      ['ecommerce-api', 'The ecommerce-api repository moved to the new organisation'],
      ['blog', 'Sessions are kept in signed cookies'],
    ];
    for (const [project, content] of notes) await engine.storeMemory(makeCaller(), { content, project });
    const { hits } = await engine.search(makeCaller(), { query: 'in ecommerce-api, how are sessions kept?' });
    assert.equal(hits[0]!.snippet, notes[0]![1]);
    const other = await engine.search(makeCaller(), { query: 'in blog, how are sessions kept?' });
    assert.equal(other.hits[0]!.snippet, notes[3]![1]);
  });

  test('names no missing vectors where a phrase was quoted', async (context) => {
    const ask = await store(context, 10);
    assert.deepEqual((await ask('"production every night"')).notices, []);
  });

  test('is as sure of the first hit when fewer are asked for', async (context) => {
    const ask = await store(context, 10);
    const [ten, one] = [await ask('staging port'), await ask('staging port', { limit: 1 })];
    assert.equal(one.hits[0]!.confidence, ten.hits[0]!.confidence);
  });

  test('asks more of a hit among few memories than among many', () => {
    const borders = [1, 10, 100, 10_000].map(reliableFrom);
    assert.deepEqual(
      borders,
      borders.toSorted((a, b) => b - a),
    );
    assert.ok(borders[0]! <= 0.5 && borders[3]! >= 0.13);
  });
});

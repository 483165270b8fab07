import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCaller, makeWordEmbedder, openTestSpace, SPACE } from '../../test/open-test-space.ts';
import type { Embedder } from '../engine/ports.ts';
import { EngineError } from '../model/errors.ts';
import { findSimilar } from './find-similar.ts';
import { quantise } from './vectors/quantise.ts';

const embedder = makeWordEmbedder([
  ['car', 'automobile', 'vehicle'],
  ['red', 'crimson'],
  ['cook', 'recipe'],
  ['network', 'packet'],
]);

test('finds by meaning what shares no word, and says that both took part', async (context) => {
  const space = await openTestSpace(context);
  for (const text of ['a crimson automobile', 'recipe for soup', 'packet loss on monday', 'some notes'])
    await space.put(text, {}, { embedder });
  const { search } = space.open({ embedder });
  const found = await search(makeCaller(), { query: 'red car' });
  assert.equal(found.hits[0]!.snippet, 'a crimson automobile');
  assert.equal(found.searchedBy, 'text+meaning');
  assert.deepEqual(found.hits[0]!.why.matched, ['meaning']);
  assert.ok(found.hits[0]!.why.meaning! > 0.95 && found.hits[0]!.confidence > 0.5);
  assert.equal(found.verdict, 'found');
  assert.equal((await search(makeCaller(), { query: 'red car', mode: 'semantic' })).searchedBy, 'meaning');
  assert.deepEqual((await search(makeCaller(), { query: 'red car', mode: 'text' })).hits, []);
});

test('words still decide where they are rare', async (context) => {
  const space = await openTestSpace(context);
  for (let i = 0; i < 30; i++) await space.put(`car story ${i}`, {}, { embedder });
  await space.put('ticket JIRA-4711 about a recipe', {}, { embedder });
  const { find } = space.open({ embedder });
  assert.equal((await find('car JIRA-4711'))[0], 'ticket JIRA-4711 about a recipe');
});

test('answers by words when the embedder fails, and says so', async (context) => {
  const space = await openTestSpace(context);
  await space.put('a crimson automobile', {}, { embedder });
  const failing: Embedder = {
    ...embedder,
    embed: () => Promise.reject(new EngineError('embedder_failed', 'No answer from the model.')),
  };
  const { search } = space.open({ embedder: failing });
  for (const mode of ['hybrid', 'semantic'] as const) {
    const found = await search(makeCaller(), { query: 'crimson', mode });
    assert.deepEqual(
      [found.searchedBy, found.hits.length, found.notices],
      ['text', 1, ['Searched by words alone: No answer from the model.']],
    );
  }
});

test('says when there is no embedder, and when passages lack vectors', async (context) => {
  const space = await openTestSpace(context);
  await space.put('a crimson automobile', {}, { embedder });
  await space.put('car without vector');
  assert.match(
    (await space.open().search(makeCaller(), { query: 'car', mode: 'semantic' })).notices.join(),
    /no embedder/,
  );
  const { notices, hits } = await space.open({ embedder }).search(makeCaller(), { query: 'car' });
  assert.match(notices.join(), /1 of 2 passages have no vector/);
  assert.equal(hits.length, 2);
});

test('vectors of another embedder are never compared', async (context) => {
  const space = await openTestSpace(context);
  await space.put('a crimson automobile', {}, { embedder });
  const other = makeWordEmbedder([['car'], ['automobile'], ['red'], ['soup']], 'words-2');
  const { search, indexes } = space.open({ embedder: other });
  for (const step of ['tail', 'segment']) {
    const found = await search(makeCaller(), { query: 'red car' });
    assert.deepEqual([found.searchedBy, found.hits], ['text', []], step);
    await indexes.rebuild(SPACE);
  }
});

test('gives the same meaning from memory, from a segment and part by part', async (context) => {
  const space = await openTestSpace(context);
  for (let i = 0; i < 40; i++)
    await space.put(
      `${['car', 'red', 'recipe', 'packet', 'crimson'][i % 5]} ${['cook', 'vehicle', 'notes'][i % 3]} ${i}`,
      {},
      { embedder },
    );
  const query = { query: 'red automobile', limit: 50 };
  const { hits } = await space.open({ embedder }).search(makeCaller(), query);
  const writer = space.open({ embedder, settings: { flushPassages: 10 } });
  await writer.indexes.upkeep(SPACE);
  assert.deepEqual((await space.open({ embedder }).search(makeCaller(), query)).hits, hits);
  assert.deepEqual(
    (await space.open({ embedder, settings: { indexBudgetBytes: 1000 } }).search(makeCaller(), query)).hits,
    hits,
  );
});

test('vectors that a segment lacks but the store has come in with the next upkeep', async (context) => {
  const space = await openTestSpace(context);
  const other = makeWordEmbedder([['car'], ['soup']], 'words-2');
  const id = await space.put('a crimson automobile', {}, { embedder: other });
  const [record] = await space.store.getRecords(SPACE, [id]);
  const [vector] = await embedder.embed(['a crimson automobile'], 'passage');
  const vectors = [{ embedder: embedder.id, ordinal: 0, ...quantise(vector!) }];
  await space.store.commit(SPACE, [{ op: 'embed', id, revision: record!.revision, vectors }], 'test');
  await space.open({ embedder: other }).indexes.rebuild(SPACE);
  const { indexes, search } = space.open({ embedder });
  assert.equal((await search(makeCaller(), { query: 'red car' })).hits.length, 0);
  await indexes.upkeep(SPACE);
  assert.equal((await search(makeCaller(), { query: 'red car' })).hits.length, 1);
});

test('names records that say nearly the same, by words or by meaning', async (context) => {
  const space = await openTestSpace(context);
  const same = await space.put('The build server restarts every night at three', {}, { embedder });
  const meant = await space.put('crimson automobile', {}, { embedder });
  await space.put('Something else entirely about soup', {}, { embedder });
  const { ports, indexes } = space.open({ embedder });
  const text = 'the build server restarts every night at three!';
  const [near] = await findSimilar(ports, indexes, [{ space: SPACE, text, minSimilarity: 0.85 }]);
  assert.deepEqual(near, [{ id: same, similarity: 1 }]);
  const vectors = await embedder.embed(['red car'], 'passage');
  const request = { space: SPACE, text: 'red car', vectors };
  const [[first] = []] = await findSimilar(ports, indexes, [request]);
  assert.equal(first!.id, meant);
  assert.ok(first!.similarity > 0.95);
  assert.deepEqual(await findSimilar(ports, indexes, [{ ...request, filter: { project: 'other' } }]), [[]]);
});

test('asks the store once how far the feed has come, and sees what was stored before', async (context) => {
  const space = await openTestSpace(context);
  await space.put('a crimson automobile', {}, { embedder });
  let asked = 0;
  const store = {
    ...space.store,
    head: (of: string) => {
      asked++;
      return space.store.head(of);
    },
  };
  const { find } = space.open({ embedder, store });
  await find('red car');
  await space.put('a red vehicle', {}, { embedder });
  asked = 0;
  assert.equal((await find('red car')).length, 2);
  assert.equal(asked, 1);
});

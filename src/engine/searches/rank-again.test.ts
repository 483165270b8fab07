import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, makeCaller, openTestEngine } from '../../../test/open-test-engine.ts';
import { createStaticEmbedder } from '../../embedders/static-embedder.ts';
import type { SearchQuery } from '../../model/search.ts';
import { findModelFile } from '../../settings/model-file.ts';

const caller = makeCaller();

test('weights order the best hits by fit, age, reads and quality, and every number follows from the facts shown', async (t) => {
  const { engine, store, clock } = await openTestEngine(t);
  const add = async (content: string, quality = 0.5) => {
    const stored = await engine.storeMemory(caller, { content, quality });
    assert.ok(stored.outcome === 'stored');
    return stored.memory.id;
  };
  const old = await add('The ferry timetable of the harbour, best of all ferry timetables', 0.2);
  clock.run(60 * DAY);
  const good = await add('A ferry note that somebody rated well', 1);
  const read = await add('A ferry note that everybody reads', 0.1);
  for (let n = 0; n < 50; n++) await store.recordReads(caller.space, [read], clock.now());
  const order = async (ranking: SearchQuery['ranking']) => {
    const { hits } = await engine.search(caller, { query: 'ferry timetable', ranking });
    for (const { score, why, confidence, quality, id } of hits) {
      const { semantic, timeDecay, accessFrequency, quality: worth } = why.weights;
      assert.deepEqual([semantic, worth], [confidence, quality]);
      assert.ok(Math.abs(timeDecay! - (id === old && accessFrequency === 0 ? Math.exp(-2) : 1)) < 1e-6);
      const all = { semantic: 0.6, timeDecay: 0.2, accessFrequency: 0.1, quality: 0.1, ...ranking };
      const sum = all.semantic + all.timeDecay + all.accessFrequency + all.quality;
      const expected =
        (all.semantic * semantic! +
          all.timeDecay * timeDecay! +
          all.accessFrequency * accessFrequency! +
          all.quality * worth!) /
        sum;
      assert.ok(Math.abs(score - expected) < 1e-9);
    }
    assert.deepEqual(
      hits.map(({ score }) => score),
      hits.map(({ score }) => score).sort((a, b) => b - a),
    );
    return hits.map(({ id }) => id);
  };
  const none = { semantic: 0, timeDecay: 0, accessFrequency: 0, quality: 0 };
  const fresh = await order({ ...none, timeDecay: 1 });
  assert.equal(fresh.at(-1), old);
  assert.equal((await order({ ...none, semantic: 1 }))[0], old);
  assert.equal((await order({ ...none, quality: 1 }))[0], good);
  assert.equal((await order({ ...none, accessFrequency: 1 }))[0], read);
  assert.equal((await engine.search(caller, { query: 'ferry', ranking: {}, limit: 1 })).hits.length, 1);
  await assert.rejects(engine.search(caller, { query: 'ferry', ranking: { quality: -1 } }), /0 or more/);
});

test('only what is shown counts as read, however many are ranked again', async (t) => {
  const { engine, store } = await openTestEngine(t);
  for (let n = 0; n < 12; n++) await engine.storeMemory(caller, { content: `Ferry number ${n} of the harbour` });
  const { hits } = await engine.search(caller, { query: 'ferry', rerank: true, limit: 2 });
  const all = (await engine.listMemories(caller, {})).items.map(({ id }) => id);
  const reads = await store.readStatistics(caller.space, all);
  assert.deepEqual([...reads.keys()].sort(), hits.map(({ id }) => id).sort());
});

test('a second pass puts the text first that has the sentence which answers, though the words are strewn over another', async (t) => {
  const embedder = createStaticEmbedder(findModelFile()!);
  const { engine } = await openTestEngine(t, { embedder });
  const strewn = [
    'Anna works in Oslo and her brother lives in Rome.',
    'The ferry to the island leaves from pier four in summer.',
    'Tickets are sold at the office near the old market hall.',
    'The last bus goes at ten, and the captain has a dog called Rex.',
  ].join(' ');
  await engine.storeMemory(caller, { content: `${strewn} ${'Nothing else was said about it that day. '.repeat(6)}` });
  await engine.storeMemory(caller, { content: 'Somebody asked again. The captain of the ferry is called Rex Olsen.' });
  const { hits } = await engine.search(caller, { query: 'what is the captain of the ferry called?', rerank: true });
  assert.match(hits[0]!.snippet, /Rex Olsen/);
  assert.ok(hits.every(({ why }) => why.weights.first! <= 1 && why.weights.sentence !== undefined));
});

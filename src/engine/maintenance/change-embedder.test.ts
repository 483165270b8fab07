import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeCaller, makeWordEmbedder, openTestEngine } from '../../../test/open-test-engine.ts';
import type { Engine } from '../engine.ts';

const caller = makeCaller();
const makeOld = () => ({ ...makeWordEmbedder(), id: 'old:64@v1' });
const makeNew = () => ({ ...makeWordEmbedder(), id: 'new:64@v1' });

async function addMany(engine: Engine, count: number): Promise<void> {
  const inputs = Array.from({ length: count }, (_, i) => ({
    content: `memory number ${i}`,
    onDuplicate: 'store' as const,
  }));
  await engine.storeMemories(caller, inputs);
}

const byMeaning = (engine: Engine, query: string) => engine.search(caller, { query, mode: 'semantic', limit: 3 });

describe('a change of embedder', () => {
  for (const flushPassages of [5, 10_000]) {
    test(`is searched by the previous one until the new one has caught up (${flushPassages} passages a segment)`, async (t) => {
      const first = await openTestEngine(t, { embedder: makeOld(), settings: { flushPassages } });
      await addMany(first.engine, 100);
      await first.engine.runUpkeep();
      await first.engine.close();
      const [embedder, previousEmbedder] = [makeNew(), makeOld()];
      const { engine } = await openTestEngine(t, {
        path: first.path,
        embedder,
        previousEmbedder,
        settings: { flushPassages },
      });
      const before = await byMeaning(engine, 'memory number 7');
      assert.deepEqual([before.searchedBy, before.notices], ['meaning', []]);
      assert.deepEqual([embedder.embedded, previousEmbedder.embedded], [0, 1]);
      assert.deepEqual((await engine.checkHealth(caller)).embedder, {
        id: embedder.id,
        dimensions: 64,
        pending: 100,
        searching: previousEmbedder.id,
      });

      const stop = new AbortController();
      const done: number[] = [];
      await engine.runUpkeep(stop.signal, {
        onEmbedded(count) {
          done.push(count);
          stop.abort();
        },
      });
      assert.deepEqual(done, [64]);
      const halfway = await byMeaning(engine, 'memory number 7');
      assert.deepEqual([halfway.searchedBy, halfway.notices, previousEmbedder.embedded], ['meaning', [], 2]);
      assert.equal((await engine.checkHealth(caller)).embedder?.pending, 36);

      assert.equal((await engine.runUpkeep()).embedded, 36);
      const after = await byMeaning(engine, 'memory number 7');
      assert.deepEqual([after.searchedBy, after.notices, previousEmbedder.embedded], ['meaning', [], 2]);
      const health = await engine.checkHealth(caller);
      assert.deepEqual([health.embedder?.pending, health.embedder?.searching], [0, embedder.id]);
      assert.deepEqual(
        health.facts.vectors.map(({ passages }) => passages),
        [100, 100],
      );
    });
  }

  test('is noticed by another process when it loads the space again', async (t) => {
    const first = await openTestEngine(t, { embedder: makeOld() });
    await addMany(first.engine, 10);
    const second = await openTestEngine(t, { path: first.path, embedder: makeNew(), previousEmbedder: makeOld() });
    await second.engine.runUpkeep();
    const previousEmbedder = makeOld();
    const third = await openTestEngine(t, { path: first.path, embedder: makeNew(), previousEmbedder });
    assert.deepEqual([(await byMeaning(third.engine, 'memory')).notices, previousEmbedder.embedded], [[], 0]);
  });

  test('searches by the new one alone where nobody says which was before', async (t) => {
    const first = await openTestEngine(t, { embedder: makeOld() });
    await addMany(first.engine, 10);
    const second = await openTestEngine(t, { path: first.path, embedder: makeNew() });
    assert.match((await byMeaning(second.engine, 'memory')).notices.join(), /10 of 10 passages have no vector/);
    await second.engine.runUpkeep();
    assert.deepEqual((await byMeaning(second.engine, 'memory')).notices, []);
  });

  test('finds what is written meanwhile by its words', async (t) => {
    const first = await openTestEngine(t, { embedder: makeOld() });
    await addMany(first.engine, 10);
    const { engine } = await openTestEngine(t, { path: first.path, embedder: makeNew(), previousEmbedder: makeOld() });
    await engine.storeMemory(caller, { content: 'the kettle is in the attic' });
    const { hits, notices } = await engine.search(caller, { query: 'kettle' });
    assert.match(hits[0]!.snippet, /kettle/);
    assert.match(notices.join(), /1 of 11 passages have no vector/);
  });
});

describe('an embedder that has not answered yet', () => {
  /** Like a service whose dimensions only its first answer tells. */
  function makeSilent() {
    const inner = makeWordEmbedder();
    let known = false;
    return {
      down: true,
      get id() {
        return known ? 'late:64@v1' : 'late:unknown@v1';
      },
      get dimensions() {
        return known ? 64 : 0;
      },
      async embed(texts: readonly string[], purpose: 'query' | 'passage') {
        inner.fails = this.down;
        const vectors = await inner.embed(texts, purpose);
        known = true;
        return vectors;
      },
      async close() {},
    };
  }

  test('leaves words to search by, shows in the health, and is used as soon as it answers', async (t) => {
    const embedder = makeSilent();
    const { engine } = await openTestEngine(t, { embedder });
    await addMany(engine, 5);
    const { searchedBy, notices } = await engine.search(caller, { query: 'memory number' });
    assert.equal(searchedBy, 'text');
    assert.match(notices.join(), /test embedder is down/);
    assert.match((await engine.checkHealth(caller)).problems.join(), /does not answer.*test embedder is down/);
    embedder.down = false;
    assert.equal((await engine.runUpkeep()).embedded, 5);
    const found = await byMeaning(engine, 'memory number');
    assert.deepEqual([found.searchedBy, found.notices], ['meaning', []]);
    const health = await engine.checkHealth(caller);
    assert.deepEqual([health.status, health.embedder?.id, health.embedder?.pending], ['healthy', 'late:64@v1', 0]);
  });
});

import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import {
  DAY,
  engineError,
  makeCaller,
  makeWordEmbedder,
  openTestEngine,
  START,
} from '../../../test/open-test-engine.ts';

const me = makeCaller();

/** Five days: what is stored, changed, superseded, deleted and restored on each. */
async function openDays(t: TestContext, flushPassages = 1000) {
  const opened = await openTestEngine(t, { embedder: makeWordEmbedder(), settings: { flushPassages } });
  const { engine, clock } = opened;
  const keep = async (content: string): Promise<string> => {
    const stored = await engine.storeMemory(me, { content });
    assert.equal(stored.outcome, 'stored');
    return stored.memory.id;
  };
  const port = await keep('The gateway listens on port 8080');
  const owner = await keep('Grace owns the gateway');
  const stays = await keep('The gateway is written in Go');
  await engine.runUpkeep();
  clock.run(DAY);
  await engine.updateMemory(me, { ref: port, content: 'The gateway listens on port 9090' });
  clock.run(DAY);
  const newer = await engine.updateMemory(me, { ref: owner, content: 'Ada owns the gateway', versioned: true });
  clock.run(DAY);
  await engine.deleteMemories(me, { refs: [stays] });
  const late = await keep('The gateway has a cache');
  clock.run(DAY);
  const day = (n: number): number => START + n * DAY + 1000;
  return { ...opened, port, owner, newer: newer.memory.id, stays, late, day };
}

describe('the memory as it was', () => {
  for (const [name, flushPassages] of [
    ['from records', 1000],
    ['from stored segments', 1],
  ] as const)
    test(`is searched and listed with the texts of that day, ${name}`, async (t) => {
      const { engine, store, day } = await openDays(t, flushPassages);
      assert.equal((await store.listSegments('owner')).length > 0, flushPassages === 1);
      const texts = async (asOf: number, query?: string) =>
        (await engine.search(me, { query, asOf, filter: { kinds: ['memory'] }, limit: 10 })).hits
          .map(({ snippet }) => snippet)
          .toSorted();
      const listed = async (asOf: number) =>
        (await engine.listMemories(me, { asOf })).items.map(({ content }) => content).toSorted();
      const first = ['Grace owns the gateway', 'The gateway is written in Go', 'The gateway listens on port 8080'];
      const second = ['Grace owns the gateway', 'The gateway is written in Go', 'The gateway listens on port 9090'];
      const third = ['Ada owns the gateway', 'The gateway is written in Go', 'The gateway listens on port 9090'];
      const last = ['Ada owns the gateway', 'The gateway has a cache', 'The gateway listens on port 9090'];
      for (const [at, wanted] of [first, second, third, last].entries()) {
        assert.deepEqual(await texts(day(at), 'gateway'), wanted, `words, day ${at}`);
        assert.deepEqual(await listed(day(at)), wanted, `list, day ${at}`);
      }
      assert.deepEqual(await texts(START - DAY, 'gateway'), []);
      assert.deepEqual(await listed(START - DAY), []);
      assert.deepEqual((await engine.search(me, { query: 'port 8080', asOf: day(0) })).hits[0]?.snippet, first[2]);
    });

  test('leaves the present as it is: nothing of the past gets into the index or the store', async (t) => {
    const { engine, store, day } = await openDays(t);
    const head = await store.head('owner');
    const segments = await store.listSegments('owner');
    await engine.search(me, { query: 'gateway', asOf: day(0) });
    await engine.runUpkeep();
    const { hits } = await engine.search(me, { query: 'gateway' });
    assert.ok(hits.every(({ snippet }) => !snippet.includes('8080') && !snippet.includes('Grace')));
    assert.equal(await store.head('owner'), head);
    assert.deepEqual((await store.listSegments('owner')).length >= segments.length, true);
  });

  test('is read by id, and what was not there is missing', async (t) => {
    const { engine, port, stays, late, day } = await openDays(t);
    const read = async (ref: string, asOf: number) =>
      (await engine.getMemories(me, { refs: [ref], asOf })).memories[0]?.content;
    assert.equal(await read(port, day(0)), 'The gateway listens on port 8080');
    assert.equal(await read(port, day(1)), 'The gateway listens on port 9090');
    assert.equal(await read(stays, day(2)), 'The gateway is written in Go');
    assert.equal(await read(stays, day(3)), undefined);
    assert.deepEqual((await engine.getMemories(me, { refs: [late], asOf: day(2) })).missing, [late]);
  });

  test('is filtered by who was mentioned then, and not by what only the present knows', async (t) => {
    const { engine, day } = await openDays(t);
    const found = await engine.listMemories(me, { asOf: day(0), filter: { entity: 'person:grace' } });
    assert.deepEqual(
      found.items.map(({ content }) => content),
      ['Grace owns the gateway'],
    );
    await assert.rejects(engine.listMemories(me, { asOf: day(0), staleDays: 3 }), engineError('invalid_input'));
    const page = await engine.listMemories(me, { asOf: day(0), page: { limit: 2 } });
    const rest = await engine.listMemories(me, { asOf: day(0), page: { limit: 2, cursor: page.cursor } });
    assert.deepEqual([page.items.length, rest.items.length, page.total, rest.cursor], [2, 1, 3, null]);
  });

  test('is listed by a text or a key as they were then, and read by a key that has moved on', async (t) => {
    const { engine, clock } = await openTestEngine(t, { embedder: makeWordEmbedder() });
    const stored = await engine.storeMemory(me, { content: 'The port is 8080, said ADA', key: 'port' });
    assert.equal(stored.outcome, 'stored');
    await engine.storeMemory(me, { content: 'Another port is 8081' });
    const ref = stored.memory.id;
    clock.run(DAY);
    const newer = await engine.updateMemory(me, { ref, content: 'The port is 9090', versioned: true });
    clock.run(DAY);
    await engine.updateMemory(me, { ref: newer.memory.id, content: 'The port is 7070' });
    clock.run(DAY);
    const listed = async (n: number, filter: object) =>
      (await engine.listMemories(me, { asOf: START + n * DAY + 1000, filter })).items.map(({ content }) => content);
    assert.deepEqual(await listed(0, { contains: 'said ada' }), ['The port is 8080, said ADA']);
    assert.deepEqual(await listed(1, { contains: 'said ada' }), []);
    assert.deepEqual(await listed(1, { contains: 'said ada', includeSuperseded: true }), [
      'The port is 8080, said ADA',
    ]);
    assert.deepEqual(await listed(1, { contains: '9090' }), ['The port is 9090']);
    assert.deepEqual(await listed(2, { contains: '9090' }), []);
    assert.deepEqual((await listed(0, { contains: 'PORT is 808' })).toSorted(), [
      'Another port is 8081',
      'The port is 8080, said ADA',
    ]);
    assert.deepEqual(await listed(0, { contentHash: stored.memory.contentHash }), ['The port is 8080, said ADA']);
    for (const [n, said] of [
      [0, 'The port is 8080, said ADA'],
      [1, 'The port is 9090'],
      [2, 'The port is 7070'],
    ] as const) {
      assert.deepEqual(await listed(n, { key: 'port' }), [said], `by key, day ${n}`);
      const asOf = START + n * DAY + 1000;
      assert.equal((await engine.getMemories(me, { refs: ['port'], asOf })).memories[0]?.content, said);
      const exact = await engine.search(me, { query: said, mode: 'exact', asOf });
      assert.deepEqual(
        exact.hits.map(({ snippet }) => snippet),
        [said],
      );
    }
  });

  test('is walked along the relations of that time', async (t) => {
    const { engine, clock, port, owner, stays, day } = await openDays(t);
    const now = (clock.now() - START) / DAY;
    assert.equal(now, 4);
    await engine.relate(me, { from: port, to: owner, type: 'causes' });
    clock.run(DAY);
    await engine.relate(me, { from: port, to: owner, type: 'causes', confidence: 0.5, note: 'less sure' });
    clock.run(DAY);
    await engine.unrelate(me, { from: port, to: owner });
    clock.run(DAY);
    const walk = (n: number | undefined, action: 'connected' | 'path' | 'subgraph') =>
      engine.exploreGraph(me, { action, ref: port, to: owner, maxHops: 1, ...(n !== undefined && { asOf: day(n) }) });
    assert.deepEqual((await walk(3, 'connected')).nodes, []);
    const first = await walk(4, 'connected');
    assert.deepEqual(
      first.nodes.map(({ excerpt }) => excerpt),
      ['Grace owns the gateway'],
    );
    assert.deepEqual(
      first.relations.map(({ confidence, status }) => [confidence, status]),
      [[1, 'stated']],
    );
    assert.deepEqual(
      (await walk(5, 'subgraph')).relations.map(({ confidence, note }) => [confidence, note]),
      [[0.5, 'less sure']],
    );
    assert.deepEqual((await walk(5, 'path')).path, [port, owner]);
    assert.equal((await walk(6, 'path')).path, null);
    assert.deepEqual((await walk(undefined, 'connected')).nodes, []);
    await assert.rejects(
      engine.exploreGraph(me, { ref: stays, asOf: day(3) }),
      engineError('not_found'),
      'it was deleted by then',
    );
    assert.deepEqual((await engine.exploreGraph(me, { ref: stays, asOf: day(2) })).nodes, []);
  });

  test('differs from another time by what was added, changed and removed', async (t) => {
    const { engine, port, owner, newer, stays, late, day } = await openDays(t);
    const changes = async (from: number, to?: number) =>
      (await engine.diffMemories(me, { from, to })).entries.map(({ id, change }) => `${change} ${id}`).toSorted();
    assert.deepEqual(await changes(day(0), day(1)), [`changed ${port}`]);
    assert.deepEqual(await changes(day(1), day(2)), [`added ${newer}`, `removed ${owner}`]);
    assert.deepEqual(await changes(day(2)), [`added ${late}`, `removed ${stays}`].toSorted());
    assert.deepEqual(await changes(day(3)), []);
    const { entries, total } = await engine.diffMemories(me, { from: day(0) });
    assert.equal(total, 5);
    const changed = entries.find(({ id }) => id === port);
    assert.deepEqual(
      [changed?.was, changed?.is],
      ['The gateway listens on port 8080', 'The gateway listens on port 9090'],
    );
    await assert.rejects(engine.diffMemories(me, { from: day(2), to: day(1) }), engineError('invalid_input'));
  });
});

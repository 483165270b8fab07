import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY, makeCaller, openTestEngine } from '../../../test/open-test-engine.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Memory, OnDuplicate, StoreMemoryInput, StoreOutcome } from './memory.ts';

const caller = makeCaller();
const FIRST = 'The payment service retries a failed charge three times before it gives up.';
const NEAR = 'The payment service retries a failed charge three times before it gives up now.';

function memoryOf(outcome: StoreOutcome): Memory {
  assert.ok('memory' in outcome);
  return outcome.memory;
}

function resemblesOf(outcome: StoreOutcome): string[] {
  assert.ok('resembles' in outcome);
  for (const { similarity } of outcome.resembles) assert.ok(similarity >= 0.85 && similarity <= 1);
  return outcome.resembles.map(({ id }) => id);
}

const store = (engine: Engine, content: string, more: Partial<StoreMemoryInput> = {}) =>
  engine.storeMemory(caller, { content, ...more });
const count = async (engine: Engine) => (await engine.listMemories(caller, {})).total;

describe('the same text again', () => {
  test('is not stored, whatever its case and outer white space, and the one that is there is named', async (t) => {
    const { engine } = await openTestEngine(t);
    const first = memoryOf(await store(engine, FIRST));
    for (const policy of ['report', 'append'] as const) {
      const again = await store(engine, `  ${FIRST.toUpperCase()}\n`, { onDuplicate: policy, tags: 'other' });
      assert.equal(again.outcome, 'duplicate');
      assert.deepEqual(memoryOf(again), first);
    }
    assert.equal(await count(engine), 1);
  });

  test('is stored in another project, and in the same one after a deletion', async (t) => {
    const { engine } = await openTestEngine(t);
    const first = memoryOf(await store(engine, FIRST));
    assert.equal((await store(engine, FIRST, { project: 'p' })).outcome, 'stored');
    await engine.deleteMemories(caller, { refs: [first.id] });
    const again = await store(engine, FIRST);
    assert.equal(again.outcome, 'stored');
    assert.notEqual(memoryOf(again).id, first.id);
  });

  test('is stored when the caller insists', async (t) => {
    const { engine } = await openTestEngine(t);
    await store(engine, FIRST);
    assert.equal((await store(engine, FIRST, { onDuplicate: 'store' })).outcome, 'stored');
    assert.equal(await count(engine), 2);
  });

  test('adds its tags and metadata on request, and the result is as little trusted as its least trusted part', async (t) => {
    const { engine } = await openTestEngine(t);
    const first = memoryOf(
      await engine.storeMemory(makeCaller('cli'), { content: FIRST, tags: 'a', metadata: { x: 1, y: 1 } }),
    );
    const merged = await store(engine, FIRST, { tags: 'b', metadata: { y: 2 }, onDuplicate: 'merge' });
    assert.equal(merged.outcome, 'merged');
    const { id, tags, metadata, trust } = memoryOf(merged);
    assert.deepEqual(
      { id, tags, metadata, trust },
      { id: first.id, tags: ['a', 'b'], metadata: { x: 1, y: 2 }, trust: 'agent' },
    );
    assert.equal((await store(engine, FIRST, { onDuplicate: 'merge' })).outcome, 'duplicate');
  });

  test('takes the place of the old one on request', async (t) => {
    const { engine } = await openTestEngine(t);
    const first = memoryOf(await store(engine, FIRST));
    const next = await store(engine, FIRST, { onDuplicate: 'supersede', tags: 'new' });
    assert.equal(next.outcome, 'stored');
    assert.deepEqual(next.supersedes, [first.id]);
    assert.deepEqual(
      (await engine.listMemories(caller, {})).items.map(({ id }) => id),
      [next.memory.id],
    );
    assert.equal((await engine.getMemories(caller, { refs: [first.id] })).memories[0]?.supersededBy, next.memory.id);
  });

  test('is refused with the name of the other when the caller asks for that', async (t) => {
    const { engine } = await openTestEngine(t);
    const first = memoryOf(await store(engine, FIRST));
    const refused = await store(engine, FIRST, { onDuplicate: 'refuse' });
    assert.deepEqual([refused.outcome, resemblesOf(refused)], ['refused', [first.id]]);
    assert.equal(await count(engine), 1);
  });

  test('is stored once by twenty writers at the same time', async (t) => {
    const { engine } = await openTestEngine(t);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => store(engine, FIRST)));
    assert.equal(outcomes.filter(({ outcome }) => outcome === 'stored').length, 1);
    assert.equal(new Set(outcomes.map((outcome) => memoryOf(outcome).id)).size, 1);
    assert.equal(await count(engine), 1);
  });
});

describe('nearly the same text', () => {
  test('is stored, and what it resembles is named', async (t) => {
    const { engine } = await openTestEngine(t);
    const first = memoryOf(await store(engine, FIRST));
    const near = await store(engine, NEAR);
    assert.equal(near.outcome, 'stored');
    assert.deepEqual(
      near.resembles.map(({ id, title }) => [id, title]),
      [[first.id, FIRST]],
    );
    assert.deepEqual(resemblesOf(await store(engine, 'Something entirely different about lunch.')), []);
  });

  test('gives its text to the old one on merge, which keeps its earlier text as a version', async (t) => {
    const { engine } = await openTestEngine(t);
    const first = memoryOf(await store(engine, FIRST, { tags: 'a', metadata: { x: 1 } }));
    const merged = await store(engine, NEAR, { tags: 'b', metadata: { y: 2 }, onDuplicate: 'merge' });
    assert.equal(merged.outcome, 'merged');
    const { id, content, tags, metadata } = memoryOf(merged);
    assert.deepEqual(
      { id, content, tags, metadata },
      { id: first.id, content: NEAR, tags: ['a', 'b'], metadata: { x: 1, y: 2 } },
    );
    assert.deepEqual(
      (await engine.listVersions(caller, id)).map(({ record }) => record.content),
      [FIRST],
    );
    assert.equal((await engine.search(caller, { query: 'now' })).hits[0]?.id, id);
  });

  test('is put after the old text on append, once, however often it is sent', async (t) => {
    const { engine } = await openTestEngine(t);
    const first = memoryOf(await store(engine, FIRST));
    const appended = await store(engine, NEAR, { onDuplicate: 'append' });
    assert.equal(appended.outcome, 'appended');
    assert.deepEqual([memoryOf(appended).id, memoryOf(appended).content], [first.id, `${FIRST}\n\n${NEAR}`]);
    await store(engine, NEAR, { onDuplicate: 'append' });
    assert.ok((await engine.getMemories(caller, { refs: [first.id] })).memories[0]!.content.split(NEAR).length === 2);
  });

  test('supersedes the old one on request, in one step and with a relation', async (t) => {
    const { engine, store: database } = await openTestEngine(t);
    const first = memoryOf(await store(engine, FIRST, { key: 'charge' }));
    const next = await store(engine, NEAR, { onDuplicate: 'supersede' });
    assert.equal(next.outcome, 'stored');
    assert.deepEqual(next.supersedes, [first.id]);
    assert.equal(next.memory.key, 'charge');
    assert.deepEqual(
      (await database.listRelations('owner', [first.id])).map(({ from, to, type }) => [from, to, type]),
      [[next.memory.id, first.id, 'supersedes']],
    );
    const found = await engine.search(caller, { query: 'payment service' });
    assert.deepEqual(
      found.hits.map(({ id }) => id),
      [next.memory.id],
    );
  });

  test('is refused on request, and nothing is written', async (t) => {
    const { engine, store: database } = await openTestEngine(t);
    const first = memoryOf(await store(engine, FIRST));
    const head = await database.head('owner');
    const refused = await store(engine, NEAR, { onDuplicate: 'refuse' });
    assert.deepEqual([refused.outcome, resemblesOf(refused)], ['refused', [first.id]]);
    assert.equal(await database.head('owner'), head);
  });

  test('is named whatever project it belongs to, and left alone there', async (t) => {
    const { engine } = await openTestEngine(t);
    const { id } = memoryOf(await store(engine, FIRST, { project: 'p' }));
    const outcome = await store(engine, NEAR, { project: 'q' });
    assert.ok(outcome.outcome === 'stored');
    assert.deepEqual(
      outcome.resembles.map((other) => other.id),
      [id],
    );
    const replaced = await store(engine, `${NEAR}!`, { project: 'r', onDuplicate: 'supersede' });
    assert.ok(replaced.outcome === 'stored');
    assert.deepEqual(replaced.supersedes, []);
  });

  test('stands in nobody’s way in conversations and sessions, in other projects, outside the window, or when the caller just stores', async (t) => {
    const { engine, clock } = await openTestEngine(t, { settings: { duplicateWindowHours: 24 } });
    await store(engine, FIRST, { project: 'p' });
    const free: Partial<StoreMemoryInput>[] = [
      { conversation: 'c', project: 'p' },
      { session: 's', project: 'p' },
      { type: 'session', project: 'p' },
      { onDuplicate: 'store', project: 'p' },
      { project: 'q' },
      {},
    ];
    for (const [i, more] of free.entries()) {
      const policy: { onDuplicate?: OnDuplicate } = more.onDuplicate === undefined ? { onDuplicate: 'refuse' } : {};
      const outcome = await store(engine, `${NEAR} ${'!'.repeat(i)}`, { ...policy, ...more });
      assert.equal(outcome.outcome, 'stored', JSON.stringify(more));
      await engine.deleteMemories(caller, { refs: [memoryOf(outcome).id] });
    }
    assert.equal((await store(engine, FIRST, { conversation: 'c', project: 'p' })).outcome, 'duplicate');
    clock.time += 2 * DAY;
    assert.equal((await store(engine, NEAR, { project: 'p', onDuplicate: 'refuse' })).outcome, 'stored');
  });

  test('is looked for at any age when the window is 0, from the threshold the operator sets', async (t) => {
    const { engine, clock } = await openTestEngine(t, { settings: { duplicateWindowHours: 0, onDuplicate: 'refuse' } });
    await store(engine, FIRST);
    clock.time += 400 * DAY;
    assert.equal((await store(engine, NEAR)).outcome, 'refused');
    const strict = await openTestEngine(t, { settings: { duplicateThreshold: 1, onDuplicate: 'refuse' } });
    await store(strict.engine, FIRST);
    assert.equal((await store(strict.engine, NEAR)).outcome, 'stored');
  });

  test('keeps five texts that differ in a number as five memories', async (t) => {
    const { engine } = await openTestEngine(t);
    for (let i = 1; i <= 5; i++)
      assert.equal((await store(engine, `Server number ${i} is in the rack on the left.`)).outcome, 'stored');
    assert.equal(await count(engine), 5);
  });
});

describe('a batch', () => {
  test('gives an outcome for each input, in order, and the last is the newest', async (t) => {
    const { engine } = await openTestEngine(t);
    const outcomes = await engine.storeMemories(
      caller,
      ['one', 'two', 'ONE', 'three'].map((content) => ({ content })),
    );
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['stored', 'stored', 'duplicate', 'stored'],
    );
    assert.equal(memoryOf(outcomes[2]!).id, memoryOf(outcomes[0]!).id);
    assert.deepEqual(
      (await engine.listMemories(caller, {})).items.map(({ content }) => content),
      ['three', 'two', 'one'],
    );
  });

  test('of independent memories is one commit', async (t) => {
    const { engine, store: database } = await openTestEngine(t);
    let commits = 0;
    const { commit } = database;
    database.commit = (...args) => {
      commits++;
      return commit(...args);
    };
    await engine.storeMemories(
      caller,
      Array.from({ length: 50 }, (_, i) => ({ content: `memory ${i}` })),
    );
    assert.equal(commits, 1);
  });

  test('names near copies inside the batch', async (t) => {
    const { engine } = await openTestEngine(t);
    const [first, second] = await engine.storeMemories(caller, [{ content: FIRST }, { content: NEAR }]);
    assert.deepEqual(resemblesOf(second!), [memoryOf(first!).id]);
  });

  test('follows policies that look at the memories before', async (t) => {
    const { engine } = await openTestEngine(t);
    const outcomes = await engine.storeMemories(caller, [
      { content: FIRST },
      { content: NEAR, onDuplicate: 'append' },
      { content: 'x', key: 'k' },
      { content: 'y', key: 'k' },
    ]);
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['stored', 'appended', 'stored', 'updated'],
    );
  });
});

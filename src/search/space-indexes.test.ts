import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCaller, makeWordEmbedder, openTestSpace, SPACE, type TestSpace } from '../../test/open-test-space.ts';
import type { Store } from '../engine/ports.ts';
import type { Segment } from '../model/segment.ts';

const settings = { flushPassages: 4 };

/** The store as a process sees it that dies at its n-th call, before or after the call did its work; nothing works afterwards. */
function dyingAt(store: Store, n: number, moment: 'before' | 'after'): Store {
  let calls = 0;
  return new Proxy(store, {
    get(target, name: keyof Store) {
      return async (...args: never[]) => {
        calls++;
        if (calls > n || (calls === n && moment === 'before')) throw new Error('killed');
        const result = await (target[name] as (...args: never[]) => unknown).apply(target, args);
        if (calls === n) throw new Error('killed');
        return result;
      };
    },
  });
}

async function fill(space: TestSpace, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await space.put(`common word number${i}`));
  return ids;
}

const expectAll = (texts: readonly string[]) => [...texts].sort();

for (const moment of ['before', 'after'] as const) {
  test(`nothing is missing when a process dies ${moment} any call of a flush or merge`, async (context) => {
    const space = await openTestSpace(context);
    const ids = await fill(space, 22);
    let survived = false;
    for (let n = 1; !survived; n++) {
      const indexes = space.open({ settings, store: dyingAt(space.store, n, moment) }).indexes;
      survived = await indexes.upkeep(SPACE).then(
        () => true,
        () => false,
      );
      space.clock.time += 10 * 60_000; // the dead process's lease runs out
      await space.remove(ids.pop()!);
      await space.put(`common word later${n}`);
      const { indexedPassages, storedPassages, damaged } = await space.open({ settings }).indexes.compare(SPACE);
      assert.deepEqual([indexedPassages, damaged], [storedPassages, []], `call ${n}`);
      if (ids.length < 4) ids.push(...(await fill(space, 6)));
      assert.ok(n < 200);
    }
    assert.ok((await space.store.listSegments(SPACE)).length > 0);
  });
}

test('a write that arrives while a segment is being made is found, and what it replaced is not', async (context) => {
  const space = await openTestSpace(context);
  const [first, second] = await fill(space, 6);
  const busy = new Proxy(space.store, {
    get(target, name: keyof Store) {
      if (name !== 'replaceSegments') return target[name];
      return async (...args: Parameters<Store['replaceSegments']>) => {
        await space.put('changed meanwhile', {}, { id: first! });
        await space.remove(second!);
        await searcher.find('common');
        return target.replaceSegments(...args);
      };
    },
  });
  const searcher = space.open({ settings, store: busy });
  assert.equal((await searcher.indexes.upkeep(SPACE)).flushed, 1);
  const { indexedRecords, storedRecords } = await searcher.indexes.compare(SPACE);
  assert.deepEqual([indexedRecords, storedRecords], [5, 5]);
  assert.deepEqual(await searcher.find('changed'), ['changed meanwhile']);
  assert.deepEqual(await searcher.find('"word number1"'), []);
  assert.deepEqual(await searcher.find('"word number2"'), ['common word number2']);
});

test('a record that came back under its id stays in the index when its purge is dealt with afterwards', async (context) => {
  const space = await openTestSpace(context);
  const [first] = await fill(space, 6);
  const searcher = space.open({ settings });
  await searcher.indexes.upkeep(SPACE);
  await space.store.commit(SPACE, [{ op: 'purge', id: first! }], 'test');
  await space.put('it came back', {}, { id: first! });
  await fill(space, 6);
  await searcher.indexes.upkeep(SPACE);
  await searcher.indexes.forget(SPACE, [first!]);
  assert.deepEqual(await searcher.find('"came back"'), ['it came back']);
  assert.deepEqual(await searcher.find('"word number0"'), ['common word number0']);
  const { indexedRecords, storedRecords } = await searcher.indexes.compare(SPACE);
  assert.equal(indexedRecords, storedRecords);
});

test('two processes on one file find each other’s writes at their next search', async (context) => {
  const one = await openTestSpace(context);
  const two = await openTestSpace(context, { path: one.path });
  const [a, b] = [one.open({ settings }), two.open({ settings })];
  const id = await one.put('written by the first');
  assert.deepEqual(await b.find('written'), ['written by the first']);
  await two.put('written by the second');
  assert.deepEqual(expectAll(await a.find('written')), ['written by the first', 'written by the second']);
  await one.remove(id);
  assert.deepEqual(await b.find('written'), ['written by the second']);
  for (let i = 0; i < 12; i++) {
    await (i % 2 === 0 ? one : two).put(`written as number${i}`);
    await a.find('written');
    await b.indexes.upkeep(SPACE);
    await a.indexes.upkeep(SPACE);
    assert.equal((await a.find('written', { limit: 50 })).length, i + 2);
    assert.equal((await b.find('written', { limit: 50 })).length, i + 2);
  }
});

test('takes over the segments of other processes instead of keeping everything twice', async (context) => {
  const space = await openTestSpace(context);
  const reader = space.open({ settings: { flushPassages: 4 } });
  const keeper = space.open({ settings: { flushPassages: 4 } });
  await reader.find('common');
  for (let round = 0; round < 6; round++) {
    await fill(space, 5);
    await keeper.indexes.upkeep(SPACE);
    await reader.find('common');
  }
  const { bytes } = reader.indexes.describe();
  const fresh = space.open({ settings });
  await fresh.find('common');
  assert.ok(bytes < fresh.indexes.describe().bytes * 2, `${bytes} against ${fresh.indexes.describe().bytes}`);
});

/** The store with one byte of its first segment flipped. */
function damage(store: Store, segment: Segment, at: number): Store {
  const bytes = segment.bytes.slice();
  bytes[at]! ^= 0x10;
  const readSegments = async () => [{ ...segment, bytes }];
  return new Proxy(store, {
    get: (target, name: keyof Store) => (name === 'readSegments' ? readSegments : target[name]),
  });
}

test('a damaged segment is not trusted: answers are right at once, and upkeep writes a sound one', async (context) => {
  const space = await openTestSpace(context);
  await fill(space, 10);
  await space.open({ settings }).indexes.upkeep(SPACE);
  await space.put('common word at the end');
  const [segment] = await space.store.readSegments(SPACE, await space.store.listSegments(SPACE));
  const size = segment!.bytes.length;
  const places = [
    0,
    4,
    8,
    12,
    20,
    32,
    50,
    400,
    size - 1,
    ...Array.from({ length: 12 }, () => Math.floor(Math.random() * size)),
  ];
  for (const at of places) {
    const searcher = space.open({ settings: { flushPassages: 1000 }, store: damage(space.store, segment!, at) });
    assert.equal((await searcher.find('common', { limit: 50 })).length, 11, `byte ${at}`);
    assert.deepEqual((await searcher.indexes.compare(SPACE)).damaged, [segment!.id]);
  }
  assert.ok(space.events.includes('segment_damaged'));
  const healer = space.open({ settings: { flushPassages: 1000 }, store: damage(space.store, segment!, 500) });
  await healer.find('common');
  assert.equal((await healer.indexes.upkeep(SPACE)).flushed, 1);
  const healed = space.open({ settings });
  assert.deepEqual((await healed.indexes.compare(SPACE)).damaged, []);
  assert.equal((await healed.find('common', { limit: 50 })).length, 11);
  assert.ok(!(await space.store.listSegments(SPACE)).includes(segment!.id));
});

test('lets go of the spaces used longest ago when memory is needed', async (context) => {
  const space = await openTestSpace(context);
  for (const name of ['a', 'b', 'c'])
    for (let i = 0; i < 20; i++) await space.put(`text ${i} of ${name}`, {}, { space: name });
  const roomy = space.open();
  const spaces = ['a', 'b', 'c'];
  for (const name of spaces) await roomy.search(makeCaller({ spaces }), { query: name });
  assert.equal(roomy.indexes.describe().spaces, 3);
  const tight = space.open({ settings: { indexBudgetBytes: Math.round(roomy.indexes.describe().bytes * 0.7) } });
  for (const name of spaces) await tight.search(makeCaller({ space: name, spaces: [name] }), { query: 'text' });
  assert.deepEqual(Object.keys(tight.indexes.describe().heads), ['b', 'c']);
});

test('an index made by a process without an embedder still holds the vectors', async (context) => {
  const space = await openTestSpace(context);
  await space.put('plain text', {}, { embedder: makeWordEmbedder([['plain'], ['text']]) });
  await space.open().indexes.rebuild(SPACE);
  const [segment] = await space.store.readSegments(SPACE, await space.store.listSegments(SPACE));
  assert.equal(segment!.embedder, 'words-1');
});

test('searches that run while writes go on never see a record twice or miss one that was there', async (context) => {
  const space = await openTestSpace(context);
  const ids = await fill(space, 12);
  const searcher = space.open({ settings });
  const writes = (async () => {
    for (let round = 0; round < 10; round++) {
      await space.put(`common word renewed${round}`, {}, { id: ids[round]! });
      await searcher.indexes.upkeep(SPACE);
    }
  })();
  const reads = Array.from({ length: 40 }, async () => {
    const { hits } = await searcher.search(makeCaller(), { query: 'common', limit: 50 });
    assert.equal(new Set(hits.map((hit) => hit.id)).size, hits.length);
    assert.equal(hits.length, 12);
  });
  await Promise.all([writes, ...reads]);
});

/** The store as it is, and how many records an index has read from it. */
function countingEntries(store: Store): { store: Store; read(): number } {
  let count = 0;
  const counting = new Proxy(store, {
    get(target, name: keyof Store) {
      if (name !== 'readIndexEntries') return target[name];
      return (...args: Parameters<Store['readIndexEntries']>) => {
        count += args[1].length;
        return target.readIndexEntries(...args);
      };
    },
  });
  return { store: counting, read: () => count };
}

test('whoever made an index of the records stores it when it ends, and the next one reads no record', async (context) => {
  const space = await openTestSpace(context);
  await fill(space, 80);
  const first = space.open();
  assert.equal((await first.find('common', { limit: 100 })).length, 80);
  await first.indexes.close();
  assert.equal((await space.store.listSegments(SPACE)).length, 1);
  await space.put('common word after that');
  const counted = countingEntries(space.store);
  const next = space.open({ store: counted.store });
  assert.equal((await next.find('common', { limit: 100 })).length, 81);
  await next.indexes.close();
  assert.equal(counted.read(), 1);
  assert.equal((await space.store.listSegments(SPACE)).length, 1, 'one record is not worth a segment');
});

test('what one process after the other leaves stays in few segments', async (context) => {
  const space = await openTestSpace(context);
  for (let round = 1; round <= 12; round++) {
    await fill(space, 64);
    const searcher = space.open();
    await searcher.find('common');
    await searcher.indexes.close();
    assert.ok((await space.store.listSegments(SPACE)).length <= 4);
  }
  const { indexedPassages } = await space.open().indexes.compare(SPACE);
  assert.equal(indexedPassages, 12 * 64);
});

test('searches store what has gathered in memory, without a round of upkeep', async (context) => {
  const space = await openTestSpace(context);
  await fill(space, 300);
  const searcher = space.open();
  await searcher.find('common');
  while ((await space.store.listSegments(SPACE)).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal((await searcher.indexes.compare(SPACE)).indexedPassages, 300);
});

test('a database that cannot be written to is searched and closed like any other', async (context) => {
  const space = await openTestSpace(context);
  await fill(space, 80);
  const readOnly = new Proxy(space.store, {
    get(target, name: keyof Store) {
      if (name !== 'takeLease') return target[name];
      return () => Promise.reject(new Error('attempt to write a readonly database'));
    },
  });
  const searcher = space.open({ store: readOnly });
  assert.equal((await searcher.find('common', { limit: 100 })).length, 80);
  await searcher.indexes.close();
  assert.ok(space.events.includes('index_not_stored'));
  assert.deepEqual(await space.store.listSegments(SPACE), []);
});

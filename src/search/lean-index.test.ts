import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCaller, openTestSpace, SPACE, type TestSpace } from '../../test/open-test-space.ts';
import type { Store } from '../engine/ports.ts';

const settings = { flushPassages: 4 };

async function fill(space: TestSpace, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await space.put(`common word number${i}`));
  return ids;
}

test('a space larger than the budget gives the same answers, and says that it is slower', async (context) => {
  const space = await openTestSpace(context);
  await fill(space, 30);
  const roomy = space.open({ settings });
  await roomy.indexes.upkeep(SPACE);
  await space.put('common word in the tail');
  await roomy.find('common');
  const tight = space.open({ settings: { ...settings, indexBudgetBytes: 2000 } });
  const query = { query: 'common number7 tail', limit: 20 };
  const [expected, got] = [await roomy.search(makeCaller(), query), await tight.search(makeCaller(), query)];
  assert.deepEqual(got.hits, expected.hits);
  assert.equal(got.total, expected.total);
  assert.match(got.notices.join(' '), /memory budget/);
  assert.deepEqual(expected.notices, []);
  await tight.indexes.upkeep(SPACE);
  assert.equal((await tight.search(makeCaller(), query)).total, expected.total);
});

test('of a space larger than the budget a search reads the pieces it needs, not whole segments', async (context) => {
  const space = await openTestSpace(context);
  await fill(space, 40);
  await space.open({ settings }).indexes.upkeep(SPACE);
  let whole = 0;
  const store = new Proxy(space.store, {
    get(target, name: keyof Store) {
      const own = target[name];
      if (typeof own !== 'function') return own;
      if (name === 'readSegments') whole++;
      return own.bind(target);
    },
  });
  const tight = space.open({ settings: { ...settings, indexBudgetBytes: 2000 }, store });
  await tight.indexes.search([SPACE], () => undefined);
  const loading = whole;
  assert.deepEqual(await tight.find('number7'), await space.open({ settings }).find('number7'));
  assert.deepEqual([loading > 0, whole], [true, loading]);
});

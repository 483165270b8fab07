import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCaller, openTestSpace, SPACE } from '../../../test/open-test-space.ts';
import type { StoredRecord } from '../../model/record.ts';
import type { Part } from '../../search/index/part.ts';
import { createKeptRows } from './kept-rows.ts';

test('what was shown before is shown as it is now, whoever changed it, and not when it is gone', async (context) => {
  const one = await openTestSpace(context);
  const two = await openTestSpace(context, { path: one.path });
  const asked: string[] = [];
  const store: typeof two.store = {
    ...two.store,
    getRecords(space, ids, note) {
      asked.push(...ids);
      return two.store.getRecords(space, ids, note);
    },
  };
  const { search, indexes } = two.open({ store });
  const show = async () => {
    const { hits } = await search(makeCaller(), { query: 'lantern' });
    return hits.map(({ snippet, tags, quality }) => [snippet, tags.join(), quality]);
  };
  const id = await one.put('a lantern', { tags: ['old'], quality: 0.5 });
  for (let i = 0; i < 2; i++) assert.deepEqual(await show(), [['a lantern', 'old', 0.5]]);
  assert.deepEqual(asked, [id], 'read once');
  await one.put('a lantern', { tags: ['new'], quality: 0.7 }, { id });
  assert.deepEqual(await show(), [['a lantern', 'new', 0.7]]);
  await two.put('a green lantern', { tags: [], quality: 0.1 }, { id });
  assert.deepEqual(await show(), [['a green lantern', '', 0.1]]);
  await indexes.rebuild(SPACE);
  assert.deepEqual(await show(), [['a green lantern', '', 0.1]]);
  await one.remove(id);
  assert.deepEqual(await show(), []);
  assert.equal((await store.getRecords(SPACE, [id]))[0]?.content, 'a green lantern', 'it can still be restored');
});

test('nobody who changes a hit changes the next answer', async (context) => {
  const space = await openTestSpace(context);
  const { search } = space.open();
  await space.put('a lantern', { tags: ['kept'] });
  for (let i = 0; i < 2; i++) {
    const [hit] = (await search(makeCaller(), { query: 'lantern' })).hits;
    assert.deepEqual(hit!.tags, ['kept']);
    hit!.tags.push('more');
  }
});

test('few rows are kept, those shown last, and none that is very long', () => {
  const kept = createKeptRows();
  const part = {} as Part;
  const keep = (record: number, length: number) =>
    kept.keep(part, record, {
      record: { content: 'a'.repeat(length), deletedAt: null } as StoredRecord,
      passages: [],
    });
  for (let record = 0; record < 2000; record++) keep(record, 10);
  assert.ok(kept.find(part, 0) !== undefined);
  keep(2000, 10);
  assert.deepEqual(
    [0, 1, 2000].map((record) => kept.find(part, record) !== undefined),
    [true, false, true],
  );
  assert.equal(kept.find({} as Part, 0), undefined);
  keep(2001, 30_000);
  assert.equal(kept.find(part, 2001), undefined);
  for (let record = 3000; record < 3100; record++) keep(record, 20_000);
  assert.deepEqual(
    [3000, 3099].map((record) => kept.find(part, record) !== undefined),
    [false, true],
  );
});

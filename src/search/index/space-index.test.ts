import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestSpace, SPACE } from '../../../test/open-test-space.ts';

test('a record of very many passages is put in whole, whatever is searched, written and flushed meanwhile', async (context) => {
  const space = await openTestSpace(context);
  for (let i = 0; i < 6; i++) await space.put(`common word number${i}`);
  const long = Array.from({ length: 1500 }, (_, i) => `passage${i} common chapter${i % 7}`).join('\n\n');
  const searcher = space.open({ settings: { flushPassages: 4 } });
  await searcher.find('common');
  const id = await space.put(long);
  const [found] = await Promise.all([
    searcher.find('passage1499'),
    searcher.indexes.upkeep(SPACE),
    space.put('common word meanwhile'),
  ]);
  assert.deepEqual(found, ['passage1499 common chapter1']);
  assert.deepEqual(await searcher.find('meanwhile'), ['common word meanwhile']);
  await space.put(`${long}\n\nthe end of it`, {}, { id });
  assert.equal((await searcher.find('"end of it"')).length, 1);
  await searcher.indexes.upkeep(SPACE);
  const { indexedPassages, storedPassages, indexedRecords, storedRecords } = await searcher.indexes.compare(SPACE);
  assert.deepEqual([indexedPassages, indexedRecords], [storedPassages, storedRecords]);
});

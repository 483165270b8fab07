import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { makeCaller, openTestEngine } from '../../test/open-test-engine.ts';
import { observeSearches } from './observe-searches.ts';

test('all who listen hear of a search, not all of them before it is answered', async (t) => {
  const { engine } = await openTestEngine(t);
  const observed = observeSearches(engine);
  const heard: string[] = [];
  const ends = Array.from({ length: 1000 }, () => observed.listen(({ query }) => heard.push(query)));
  await observed.engine.search(makeCaller(), { query: 'lamps' });
  assert.ok(heard.length < 500, `${heard.length} were told in one go`);
  await observed.engine.search(makeCaller(), { query: 'oil' });
  while (heard.length < 2000) await nextTurn();
  assert.deepEqual(
    heard,
    Array.from({ length: 2000 }, (_, i) => (i < 1000 ? 'lamps' : 'oil')),
  );
  for (const end of ends) end();
  await observed.engine.search(makeCaller(), { query: 'nobody' });
  await nextTurn();
  assert.equal(heard.length, 2000);
});

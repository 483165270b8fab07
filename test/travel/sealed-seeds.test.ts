import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { simulateSealed } from './simulate-sealed.ts';

/** Few enough for every run of the tests; `npm run sync-seeds -- --sealed` goes through a thousand. */
const SEEDS = 4;

test('laptops that seal what they exchange hold the same in the end, whatever breaks off, is put back, lost or changed', async () => {
  for (let seed = 0; seed < SEEDS; seed++) deepEqual(await simulateSealed(seed), [], `seed ${seed}`);
});

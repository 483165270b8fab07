import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestApp } from '../../test/open-test-app.ts';
import { EngineError } from '../model/errors.ts';
import { createStoreCheck } from './store-check.ts';

test('asks the database once in a second, however many ask', async () => {
  let [reads, at] = [0, 5000];
  const stateOf = createStoreCheck(
    async () => {
      reads++;
      if (reads > 1) throw new Error('gone');
    },
    { now: () => at },
  );
  assert.deepEqual(await Promise.all([stateOf(), stateOf(), stateOf()]), ['up', 'up', 'up']);
  at += 999;
  assert.equal(await stateOf(), 'up');
  assert.equal(reads, 1);
  at += 1;
  assert.deepEqual([await stateOf(), await stateOf()], ['down', 'down']);
  assert.equal(reads, 2);
});

test('gives up on a database that does not answer, and does not ask it a second time meanwhile', async () => {
  let reads = 0;
  const never = () => {
    reads++;
    return new Promise(() => {});
  };
  const stateOf = createStoreCheck(never, { limitMs: 20 });
  // The check's own timer keeps no process alive.
  const alive = setInterval(() => {}, 100);
  assert.equal(await stateOf(), 'down');
  clearInterval(alive);
  void stateOf();
  assert.equal(reads, 1);
});

test('tells a database that a newer program has upgraded from one that is gone', async () => {
  const stateOf = createStoreCheck(async () => {
    throw new EngineError('storage_unsupported', 'newer');
  });
  assert.equal(await stateOf(), 'outdated');
});

test('the server says 503 and nothing more once its SQLite database is gone', async () => {
  const app = await openTestApp();
  await app.store.close();
  const answer = await app.request('GET', '/health', { token: null });
  assert.deepEqual([answer.status, await answer.json()], [503, { status: 'unavailable' }]);
  await app.close().catch(() => {});
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestApp } from '../../test/open-test-app.ts';
import { createStoreCheck } from './store-check.ts';

test('asks the database once in a second, however many ask', async () => {
  let [reads, at] = [0, 5000];
  const isUp = createStoreCheck(
    async () => {
      reads++;
      if (reads > 1) throw new Error('gone');
    },
    { now: () => at },
  );
  assert.deepEqual(await Promise.all([isUp(), isUp(), isUp()]), [true, true, true]);
  at += 999;
  assert.equal(await isUp(), true);
  assert.equal(reads, 1);
  at += 1;
  assert.deepEqual([await isUp(), await isUp()], [false, false]);
  assert.equal(reads, 2);
});

test('gives up on a database that does not answer, and does not ask it a second time meanwhile', async () => {
  let reads = 0;
  const never = () => {
    reads++;
    return new Promise(() => {});
  };
  const isUp = createStoreCheck(never, { limitMs: 20 });
  // The check's own timer keeps no process alive.
  const alive = setInterval(() => {}, 100);
  assert.equal(await isUp(), false);
  clearInterval(alive);
  void isUp();
  assert.equal(reads, 1);
});

test('the server says 503 and nothing more once its SQLite database is gone', async () => {
  const app = await openTestApp();
  await app.store.close();
  const answer = await app.request('GET', '/health', { token: null });
  assert.deepEqual([answer.status, await answer.json()], [503, { status: 'unavailable' }]);
  await app.close().catch(() => {});
});

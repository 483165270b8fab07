import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paceTurn } from './turn.ts';

/** As a read of SQLite does. */
function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('reads that follow each other without end leave turns to others', async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  for (let i = 0; i < 60; i++) {
    await paceTurn();
    work(1);
  }
  isOver = true;
  assert.ok(turns >= 4, `${turns} turns in 60 ms of reads`);
});

test('a few short reads wait for nothing', async () => {
  await new Promise(setImmediate);
  assert.equal(paceTurn(), undefined);
  assert.equal(paceTurn(), undefined);
});

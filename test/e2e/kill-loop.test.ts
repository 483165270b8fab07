import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runKillLoop } from './kill-loop.ts';

test('writers that are killed at random lose nothing they were told is stored', async () => {
  const report = await runKillLoop({ processes: 6, writes: 40, kills: 8 });
  assert.deepEqual(report.complaints, []);
  assert.deepEqual(report.lost, []);
  assert.deepEqual(report.unfound, []);
  assert.ok(report.acknowledged >= 6 * 40);
  assert.ok(report.sound, JSON.stringify(report.checks));
});

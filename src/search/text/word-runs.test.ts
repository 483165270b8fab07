import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutRuns, cutRunsInTurns } from './word-runs.ts';

const sorted = (runs: readonly string[] | null) => (runs === null ? null : [...new Set(runs)].sort());

test('a long text has the same runs in turns as in one go, wherever pieces of it end', async () => {
  const words = ['Straße', 'ΟΔΟΣ', 'naïve', '東京都', 'snake_case', "don't", 'x'.repeat(70), '😀', 'a1B2'];
  const text = Array.from({ length: 30_000 }, (_, i) => `${words[i % words.length]}${i % 977}`).join(' ');
  let turns = 0;
  const pace = async () => void turns++;
  assert.deepEqual(sorted(await cutRunsInTurns(text, pace)), sorted(cutRuns(text)));
  assert.ok(turns > 3);
});

test('a blob in a long text leaves it uncut, in turns as in one go', async () => {
  for (const text of [`${'word '.repeat(30_000)}${'y'.repeat(5000)}`, 'z'.repeat(200_000)]) {
    assert.equal(cutRuns(text), null);
    assert.equal(await cutRunsInTurns(text, () => undefined), null);
  }
});

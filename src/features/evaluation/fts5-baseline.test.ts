import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFts5Baseline } from './fts5-baseline.ts';

test('ranks by any of the words, stemmed, and takes every question as plain words', (context) => {
  const baseline = openFts5Baseline(['the cat sleeps', 'dogs and cats running', 'a stone']);
  context.after(() => baseline.close());
  assert.deepEqual(baseline.rank('cat OR "running" NEAR(', 10), [1, 0]);
  assert.deepEqual(baseline.rank('stones?', 10), [2]);
  assert.deepEqual(baseline.rank('cats', 1).length, 1);
  assert.deepEqual(baseline.rank('?!', 10), []);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeAge } from './instant.ts';

test('says ages as people do', () => {
  const now = Date.UTC(2026, 5, 15);
  assert.equal(describeAge(now - 3 * 86_400_000, now), '3 days ago');
  assert.equal(describeAge(now - 60_000, now), '1 minute ago');
  assert.equal(describeAge(now - 5, now), 'just now');
  assert.equal(describeAge(now + 7_200_000, now), 'in 2 hours');
  assert.equal(describeAge(now - 86_400_000, now, 'auto'), 'yesterday');
});

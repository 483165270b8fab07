import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupDigits } from './group-digits.ts';
import { describeAge } from './instant.ts';

test('says ages as people do', () => {
  const now = Date.UTC(2026, 5, 15);
  assert.equal(describeAge(now - 3 * 86_400_000, now), '3 days ago');
  assert.equal(describeAge(now - 60_000, now), '1 minute ago');
  assert.equal(describeAge(now - 5, now), 'just now');
  assert.equal(describeAge(now + 7_200_000, now), 'in 2 hours');
  assert.equal(describeAge(now - 86_400_000, now, 'auto'), 'yesterday');
});

test('ages and counts are in the English of Intl', () => {
  const units = { year: 365, month: 30, week: 7, day: 1, hour: 1 / 24, minute: 1 / 1440 };
  const now = Date.UTC(2026, 0, 15);
  for (const numeric of ['always', 'auto'] as const) {
    const intl = new Intl.RelativeTimeFormat('en', { numeric });
    for (const [unit, days] of Object.entries(units))
      for (const count of unit === 'year' ? [-1234, -2, -1, 1, 2] : [-3, -2, -1, 1, 2, 3]) {
        const then = Math.round(now + count * days * 86_400_000);
        assert.equal(describeAge(then, now, numeric), intl.format(count, unit as Intl.RelativeTimeFormatUnit));
      }
  }
  for (const count of [0, 7, 999, 1000, 12_345, 1_234_567])
    assert.equal(groupDigits(count), count.toLocaleString('en'));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readInstant } from './read-time-phrase.ts';

const zone = { now: Date.parse('2026-03-18T14:30:00Z'), timeZone: 'Europe/Berlin' };

function read(text: string, edge: 'start' | 'end'): string {
  return new Date(readInstant(text, { ...zone, edge })).toISOString().slice(0, 16);
}

test('takes the asked side of a day, a month or a phrase', () => {
  assert.equal(read('2026-03-01', 'start'), '2026-02-28T23:00');
  assert.equal(read('2026-03-01', 'end'), '2026-03-01T23:00');
  assert.equal(read('2026-03', 'end'), '2026-03-31T22:00');
  assert.equal(read('yesterday', 'start'), '2026-03-16T23:00');
  assert.equal(read('last week', 'end'), '2026-03-15T23:00');
});

test('takes a time of day or a distance in hours as a moment', () => {
  for (const edge of ['start', 'end'] as const) {
    assert.equal(read('2026-03-01T10:00Z', edge), '2026-03-01T10:00');
    assert.equal(read('2026-03-01 10:00', edge), '2026-03-01T09:00');
    assert.equal(read('2 hours ago', edge), '2026-03-18T12:30');
    assert.equal(read('in 2 hours', edge), '2026-03-18T16:30');
  }
});

test('takes the one side that an open phrase has', () => {
  assert.equal(read('since Friday', 'end'), '2026-03-12T23:00');
  assert.equal(read('before March', 'start'), '2026-02-28T23:00');
});

test('refuses what is no date', () => {
  for (const text of ['2026-02-30', 'soon', '', '2026-03-01T10:61'])
    assert.throws(() => read(text, 'start'), { code: 'unreadable_time' });
});

test('stays in the years that can be written down: the last day ends with them, and a moment beyond them is refused', () => {
  const full = (text: string, edge: 'start' | 'end'): string =>
    new Date(readInstant(text, { ...zone, edge })).toISOString();
  assert.equal(full('9999-12-31', 'end'), '9999-12-31T23:00:00.000Z');
  assert.equal(
    new Date(readInstant('9999-12-31', { ...zone, timeZone: 'UTC', edge: 'end' })).toISOString(),
    '9999-12-31T23:59:59.999Z',
  );
  for (const edge of ['start', 'end'] as const)
    assert.throws(() => full('9999-12-31T23:59:59-05:00', edge), {
      code: 'unreadable_time',
      message: /years 1 to 9999/,
    });
  for (const text of ['2024-03-05T10:00:00.123456+00:00', '2024-03-05 10:00:00.123456+00:00'])
    assert.equal(full(text, 'start'), '2024-03-05T10:00:00.123Z');
});

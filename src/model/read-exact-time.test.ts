import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAgentTime, readExactTime, readForeignTime } from './read-exact-time.ts';

const iso = (text: string): string | null => {
  const instant = readExactTime(text);
  return instant === null ? null : new Date(instant).toISOString();
};

test('reads what programs write for a moment', () => {
  for (const text of [
    '2024-03-05T10:00:00+00:00',
    '2024-03-05T10:00:00.000000+00:00',
    '2024-03-05 10:00:00+00:00',
    '2024-03-05T10:00:00Z',
    '2024-03-05t10:00:00z',
    '2024-03-05T10:00:00',
    '2024-03-05 10:00:00',
    '2024-03-05T10:00',
    '2024-03-05T10',
    '2024-03-05T11:00:00+0100',
    '2024-03-05T11:00:00+01',
    '2024-03-05T00:30:00-09:30',
    '2024-03-05 10:00:00 +00:00',
    ' 2024-03-05T10:00:00Z\n',
    '2024-03-05T10:53:28+00:53:28',
  ])
    assert.equal(iso(text), '2024-03-05T10:00:00.000Z', text);
  assert.equal(iso('2024-03-05T10:00:00.123456+00:00'), '2024-03-05T10:00:00.123Z');
  assert.equal(iso('2024-03-05T10:00:00,9999999999'), '2024-03-05T10:00:00.999Z');
  assert.equal(iso('2024-03-05'), '2024-03-05T00:00:00.000Z');
  assert.equal(iso('2024-12-31T24:00:00Z'), '2025-01-01T00:00:00.000Z');
  assert.equal(iso('0001-01-01T00:00:00Z'), '0001-01-01T00:00:00.000Z');
  assert.equal(iso('9999-12-31T23:59:59.999999'), '9999-12-31T23:59:59.999Z');
});

test('refuses what is no such moment, or could not be written down again', () => {
  for (const text of [
    '',
    'soon',
    '2024',
    '2024-02-30',
    '2023-02-29T10:00:00Z',
    '2024-13-01',
    '2024-03-05T25:00:00Z',
    '2024-03-05T10:60:00Z',
    '2024-03-05T10:00:60Z',
    '2024-03-05T10:00:00+24:00',
    '2024-03-05T10:00:00+01:75',
    '9999-12-31T23:59:59-05:00',
    '0001-01-01T00:00:00+05:00',
    '0000-01-01',
    '+010000-01-01T00:00:00.000Z',
    '10000-01-01T00:00:00Z',
    '2024-03-05T10:00:00ZZ',
    `2024-03-05T10:00:00.${'1'.repeat(1000)}Z`,
    '1709632800',
  ])
    assert.equal(iso(text), null, text);
});

test('whatever a moment is and however it is written, what is read is that moment', () => {
  let seed = 1;
  const below = (most: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((seed / 2 ** 32) * most);
  };
  const two = (value: number): string => String(value).padStart(2, '0');
  for (let round = 0; round < 5000; round++) {
    const instant = -62_000_000_000_000 + below(2 ** 31) * 146_000 + below(1000);
    const offset = below(2) === 0 ? 0 : below(28 * 60) - 14 * 60;
    const wall = new Date(instant + offset * 60_000).toISOString();
    const [day, clock] = [wall.slice(0, 10), wall.slice(11, 23)];
    const size = Math.abs(offset);
    const colon = [':', ''][below(2)]!;
    const zone =
      offset === 0
        ? ['Z', 'z', '', '+00:00', '-0000', ' +00'][below(6)]!
        : `${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}${colon}${two(size % 60)}`;
    const more = ['', '456', '999999'][below(3)]!;
    const text = `${day}${['T', 't', ' '][below(3)]}${clock}${more}${zone}`;
    assert.equal(readExactTime(text), instant, text);
    assert.equal(readForeignTime(text), instant, text);
    assert.equal(readAgentTime(text), instant, text);
  }
});

test('times of other programs are numbers, ISO 8601 or what browsers read, and never beyond the years', () => {
  const noon = Date.UTC(2024, 2, 5, 12);
  for (const value of [noon, noon / 1000, BigInt(noon), String(noon), String(noon / 1000), '2024-03-05 12:00:00'])
    assert.equal(readForeignTime(value), noon, String(value));
  assert.equal(readForeignTime('Tue, 05 Mar 2024 12:00:00 GMT'), noon);
  for (const value of [null, undefined, {}, '', 'soon', Number.NaN, 1e300, '9'.repeat(50), '2024-02-30T10:00:00Z'])
    assert.equal(readForeignTime(value), null, String(value));
  for (const value of [1e300, Number.POSITIVE_INFINITY, 8.64e15, '+275760-01-01T00:00:00Z'])
    assert.equal(readAgentTime(value), null, String(value));
});

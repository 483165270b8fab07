import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortStrings } from './sort-strings.ts';
import { compareBytes, encodeText } from './string-table.ts';

test('strings are sorted by their bytes, in turns as in one go, and keep their numbers', async () => {
  const texts = Array.from(
    { length: 9000 },
    (_, i) => `${((i * 7919) % 9001).toString(36)}${'é\u{1f600}\uffee'[i % 4] ?? ''}`,
  );
  let turns = 0;
  const sorted = await sortStrings(texts, () => {
    turns++;
    return undefined;
  });
  const expected = texts.map((text) => encodeText(text)).sort(compareBytes);
  assert.deepEqual(
    sorted.map(({ bytes }) => Buffer.from(bytes).toString('hex')),
    expected.map((bytes) => Buffer.from(bytes).toString('hex')),
  );
  for (const { bytes, number } of sorted.slice(0, 100)) assert.deepEqual(bytes, encodeText(texts[number]!));
  assert.ok(turns > 9);
});

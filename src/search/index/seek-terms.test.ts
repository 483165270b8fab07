import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSeekTerm } from './seek-terms.ts';
import { compareBytes, encodeText, makeStringTable } from './string-table.ts';

function makeTable(words: readonly string[]) {
  return makeStringTable(words.map(encodeText).sort(compareBytes));
}

function makeWords(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${['w', 'ü', '猫', ''][i % 4]}${(i * 7919).toString(36)}`);
}

test('every word is found in its place, and no other, the first time and after all have been hashed', () => {
  for (const count of [0, 1, 5, 300, 2000]) {
    const words = makeWords(count);
    const table = makeTable(words);
    const places = new Map(
      words
        .map(encodeText)
        .sort(compareBytes)
        .map((bytes, i) => [Buffer.from(bytes).toString(), i]),
    );
    const seek = createSeekTerm(table);
    for (let round = 0; round < 3; round++) {
      for (const text of words) assert.equal(seek({ text }), places.get(text));
      for (const text of words) assert.equal(seek({ text: `${text}x` }), -1);
      assert.equal(seek({ text: 'ünbekannt' }), -1);
    }
  }
});

test('a table that is read in pieces is never walked through', () => {
  const words = makeWords(5000);
  const read = new Set<number>();
  const need = (from: number, to: number) => {
    for (let index = from; index < to; index++) read.add(index);
  };
  const seek = createSeekTerm({ ...makeTable(words), need });
  for (const text of words.slice(0, 60)) assert.notEqual(seek({ text }), -1);
  assert.ok(read.size < 1500, `${read.size} words were read`);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isWithinOneEdit } from '../text/edit-distance.ts';
import { createFindSimilar } from './similar-strings.ts';
import { compareBytes, encodeText, makeStringTable } from './string-table.ts';

const word = fc
  .array(fc.constantFrom('a', 'b', 'c', 'é', '語', '😀'), { minLength: 0, maxLength: 8 })
  .map((letters) => letters.join(''));

test('every string one edit away is among the similar ones', () => {
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 60 }), word, (words, wanted) => {
      const sorted = words
        .map((text) => ({ text, bytes: encodeText(text) }))
        .sort((a, b) => compareBytes(a.bytes, b.bytes));
      const find = createFindSimilar(makeStringTable(sorted.map(({ bytes }) => bytes)));
      const first = find(encodeText(wanted)).sort();
      for (let i = 0; i < 20; i++) find(encodeText(wanted));
      assert.deepEqual(
        find(encodeText(wanted)).sort(),
        first,
        'asked often, it makes a list, which names the same ones',
      );
      const similar = first.map((index) => sorted[index]!.text);
      assert.equal(new Set(similar).size, similar.length);
      for (const { text } of sorted)
        if (isWithinOneEdit(text, wanted)) assert.ok(similar.includes(text), `${text} for ${wanted}`);
    }),
    { numRuns: 2000 },
  );
});

test('few strings are looked at where the dictionary is large', () => {
  const letter = (n: number) => 'abcdefghijklmnop'[n & 15];
  const words = Array.from({ length: 4096 }, (_, i) => [i, i >> 4, i >> 8, i * 7, i * 11, i >> 3].map(letter).join(''));
  const find = createFindSimilar(makeStringTable([...new Set(words)].sort().map(encodeText)));
  assert.ok(find(encodeText('abcdef')).length < 400);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isWithinOneEdit } from '../text/edit-distance.ts';
import { createWordsByEnds } from './words-by-ends.ts';

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'ü', '認', '😀'), minLength: 1, maxLength: 7 });

test('every word that is one edit away is among those that could be, however the list has grown meanwhile', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { maxLength: 60 }),
      fc.uniqueArray(word, { maxLength: 60 }),
      word,
      (a, b, wanted) => {
        const words = [...a];
        const byEnds = createWordsByEnds(words);
        for (const more of [[], b.filter((each) => !a.includes(each))]) {
          words.push(...more);
          const near = byEnds.couldBeNear(wanted);
          assert.equal(new Set(near).size, near.length);
          const expected = words.filter((other) => isWithinOneEdit(wanted, other));
          assert.deepEqual(near.filter((other) => isWithinOneEdit(wanted, other)).sort(), expected.sort());
        }
      },
    ),
  );
});

test('words are found by how they begin, long ones too', () => {
  const long = 'a'.repeat(70);
  const byEnds = createWordsByEnds(['ab', 'abc', 'b', 'a', long, `${long}b`]);
  assert.deepEqual(byEnds.startingWith('ab'), ['ab', 'abc']);
  assert.deepEqual(byEnds.startingWith(long), [long, `${long}b`]);
  assert.deepEqual(byEnds.couldBeNear(long), [long, `${long}b`]);
  assert.equal(byEnds.startingWith('').length, 6);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isWithinOneEdit } from './edit-distance.ts';

test('allows one insertion, deletion, substitution or swap, and no more', () => {
  for (const [a, b] of [
    ['auth', 'auth'],
    ['auth', 'auths'],
    ['auth', 'ath'],
    ['auth', 'aath'],
    ['auth', 'atuh'],
    ['', 'a'],
    ['ab', 'ba'],
    ['a', 'b'],
  ] as const) {
    assert.ok(isWithinOneEdit(a, b) && isWithinOneEdit(b, a), `${a} ${b}`);
  }
  for (const [a, b] of [
    ['auth', 'aths'],
    ['abc', 'cab'],
    ['', 'ab'],
    ['abcd', 'badc'],
    ['token', 'taken!'],
    ['abc', 'acbd'],
  ] as const) {
    assert.ok(!isWithinOneEdit(a, b) && !isWithinOneEdit(b, a), `${a} ${b}`);
  }
});

test('agrees with the full distance on short words', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });
  fc.assert(
    fc.property(word, word, (a, b) => assert.equal(isWithinOneEdit(a, b), distance(a, b) <= 1)),
    { numRuns: 2000 },
  );
});

function distance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const options = [
    distance(a.slice(1), b) + 1,
    distance(a, b.slice(1)) + 1,
    distance(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1),
  ];
  if (a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0])
    options.push(distance(a.slice(2), b.slice(2)) + 1);
  return Math.min(...options);
}

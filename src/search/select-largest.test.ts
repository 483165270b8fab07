import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { selectLargest } from './select-largest.ts';

test('finds the n-th largest value by counting as by sorting', () => {
  const value = fc
    .oneof(fc.float({ min: 0, max: 40, noNaN: true }), fc.constantFrom(0, 1, 1.5, 2))
    .map((each) => each + 0);
  fc.assert(
    fc.property(fc.array(value, { maxLength: 60 }), fc.integer({ min: 1, max: 50 }), (list, n) => {
      const values = Float32Array.from(list, Math.abs);
      const sorted = [...values].sort((a, b) => b - a);
      assert.equal(selectLargest(values, n), sorted[n - 1] ?? -Infinity);
    }),
  );
});

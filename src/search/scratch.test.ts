import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createScratch } from './scratch.ts';

test('gives an array with one value throughout, whatever was written to the last', () => {
  const scratch = createScratch();
  scratch.take('text', 100).fill(7);
  assert.deepEqual(scratch.take('text', 50), new Float32Array(50));
  assert.deepEqual(scratch.take('text', 110), new Float32Array(110));
  scratch.take('meaning', 10, -2).fill(3);
  assert.deepEqual(scratch.take('meaning', 200, -2), new Float32Array(200).fill(-2));
});

test('clears what was written to where all of it is named, and everything where it is not', () => {
  const scratch = createScratch();
  const first = scratch.take('fused', 100);
  for (const doc of [3, 5, 61]) first[doc] = 1;
  scratch.wroteOnly('fused', [
    { base: 0, docs: Uint32Array.of(3, 5) },
    { base: 60, docs: Uint32Array.of(1) },
  ]);
  const second = scratch.take('fused', 100);
  assert.deepEqual(second, new Float32Array(100));
  second.fill(2);
  assert.deepEqual(scratch.take('fused', 100), new Float32Array(100));
});

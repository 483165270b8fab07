import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootstrapMacro } from './summarise.ts';

const half = Array.from({ length: 100 }, (_, i) => i % 2);

test('the interval lies around the mean, as wide as its spread says', () => {
  const { low, high } = bootstrapMacro([half], { samples: 2000, seed: 1 })!;
  // 0.5 ± 1.96 × 0.05, the normal approximation for 100 coin flips.
  assert.ok(Math.abs(low - 0.402) < 0.02 && Math.abs(high - 0.598) < 0.02, `${low} to ${high}`);
});

test('the same seed gives the same interval, another one does not', () => {
  const mixed = [Array.from({ length: 57 }, (_, i) => (i % 7) / 7), half];
  const draw = (seed: number) => bootstrapMacro(mixed, { samples: 50, seed });
  assert.deepEqual(draw(3), draw(3));
  assert.notDeepEqual(draw(3), draw(4));
});

test('every group weighs the same, however many values it has', () => {
  const { low, high } = bootstrapMacro([Array(1000).fill(1), [0]], { samples: 100, seed: 1 })!;
  assert.deepEqual([low, high], [0.5, 0.5]);
});

test('there is no interval without draws or values', () => {
  assert.equal(bootstrapMacro([half], { samples: 0, seed: 1 }), null);
  assert.equal(bootstrapMacro([[]], { samples: 10, seed: 1 }), null);
});

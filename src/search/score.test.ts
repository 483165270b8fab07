import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FULL_TRUST, fuse, MAX_WEIGHT, NOT_COMPARED, qualityWeight, recencyWeight, trustWords } from './score.ts';
import { quantise } from './vectors/quantise.ts';
import { hammingDistance, writeSignCode } from './vectors/sign-code.ts';

const FUSION = {
  rarest: 5,
  trust: FULL_TRUST,
  weights: { words: 1, meaning: 1 },
  spread: { mean: 0.1, deviation: 0.1 },
};

test('fusion gives 0 to what neither words nor meaning found, and ranks by the side that stands out', () => {
  const fused = [
    [0, NOT_COMPARED],
    [9, 0.1],
    [0, 0.9],
    [1, 0.1],
  ].map(([text, cosine]) => fuse(text!, cosine!, FUSION));
  assert.equal(fused[0], 0);
  assert.ok(fused[1]! > fused[3]! && fused[2]! > fused[3]! && fused[3]! > 0);
});

test('half of the question held counts for more than twice a quarter of it, and all of it in full', () => {
  const trust = { question: 1, whole: 8 };
  const [quarter, half, all] = [2, 4, 8].map((text) => fuse(text, 0.1, { ...FUSION, trust }) - 1);
  assert.ok(half! > 2 * quarter! + 1e-6 && all! > 2 * half! + 1e-6);
  assert.equal(fuse(8, 0.1, FUSION), all! + 1);
});

test('a question is trusted by what the best passage holds of it', () => {
  assert.deepEqual(trustWords(25, 25), { question: 1, whole: 25 });
  assert.equal(trustWords(3.75, 25).question, 0.5);
  assert.equal(trustWords(0, 25).question, 0);
});

test('no weight is larger than the bound by which weak docs are skipped', () => {
  assert.ok(recencyWeight(5, 5) * qualityWeight(1) <= MAX_WEIGHT);
  assert.ok(recencyWeight(10, 5) * qualityWeight(1) <= MAX_WEIGHT);
  assert.ok(recencyWeight(0, 1e13) >= 1 && qualityWeight(0.5) === 1);
});

test('a quantised vector is nearly the vector', () => {
  const vector = Float32Array.from({ length: 64 }, (_, i) => Math.sin(i) / 6);
  const { scale, bytes } = quantise(vector);
  for (const [i, component] of vector.entries()) assert.ok(Math.abs(component - bytes[i]! * scale) <= scale / 2 + 1e-9);
  assert.deepEqual(quantise(new Float32Array(3)), { scale: 0, bytes: new Int8Array(3) });
});

test('codes differ in as many bits as components differ in sign', () => {
  const signs = fc.array(fc.boolean(), { minLength: 70, maxLength: 70 });
  fc.assert(
    fc.property(signs, signs, (a, b) => {
      const encode = (list: readonly boolean[]) => {
        const code = new Uint32Array(3);
        writeSignCode(
          list.map((positive) => (positive ? 1 : -1)),
          code,
          0,
        );
        return code;
      };
      assert.equal(hammingDistance(encode(a), 0, encode(b), 3), a.filter((positive, i) => positive !== b[i]).length);
    }),
  );
});

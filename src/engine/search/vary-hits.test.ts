import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Contender } from './top-records.ts';
import { VARIED, varyHits } from './vary-hits.ts';

const rank = (scores: readonly number[]) =>
  scores.map((score, doc) => ({ score, relevance: score, record: doc, doc }) as Contender);
const docs = (hits: readonly Contender[]) => hits.map((hit) => hit.doc);

test('what says the same as a better hit stands behind what says something else', () => {
  const twins = (a: number, b: number) => (a < 2 && b < 2 ? 0.99 : 0.1);
  assert.deepEqual(docs(varyHits(rank([10, 9.8, 9]), 3, twins)), [0, 2, 1]);
  const [first, second] = varyHits(rank([10, 9.8, 2]), 3, twins);
  assert.deepEqual([first!.doc, second!.doc, first!.variety], [0, 1, undefined]);
  assert.ok(second!.variety! > 0.7 && second!.variety! < 1 && second!.score === 9.8 * second!.variety!);
});

test('hits that differ keep their order and their scores', () => {
  const best = rank([5, 4, 3, 2]);
  assert.deepEqual(
    varyHits(best, 4, () => 0.7),
    best,
  );
});

test('every page shows the same order, with scores that never rise and no hit lost', () => {
  const scores = fc.array(fc.double({ min: 0.1, max: 20, noNaN: true }), { minLength: 1, maxLength: VARIED + 20 });
  fc.assert(
    fc.property(scores, fc.nat(), fc.nat(VARIED + 25), (list, seed, keep) => {
      const best = rank(list.toSorted((a, b) => b - a));
      const likeness = (a: number, b: number) => Math.abs(Math.sin(seed + a * b + a + b));
      const all = varyHits(best, best.length, likeness);
      assert.deepEqual(docs(varyHits(best, keep, likeness)), docs(all).slice(0, keep));
      assert.deepEqual(docs(all).toSorted(), docs(best).toSorted());
      for (const [i, hit] of all.entries()) assert.ok(i === 0 || hit.score <= all[i - 1]!.score);
    }),
  );
});

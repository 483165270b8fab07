import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Candidate } from './choose-best.ts';
import { type Likeness, rerankByMmr } from './mmr.ts';

const rank = (scores: readonly number[]) =>
  scores.map((score, doc) => ({ score, relevance: score, record: doc, doc }) as Candidate);
const RERANKED = 40;
const vary = (best: readonly Candidate[], keep: number, likeness: Likeness) =>
  rerankByMmr(best, { keep, reranked: RERANKED }, likeness);
const docs = (hits: readonly Candidate[]) => hits.map((hit) => hit.doc);

test('what says the same as a better hit stands behind what says something else', () => {
  const twins = (a: number, b: number) => (a < 2 && b < 2 ? 0.99 : 0.1);
  assert.deepEqual(docs(vary(rank([10, 9.8, 9]), 3, twins)), [0, 2, 1]);
  const [first, second] = vary(rank([10, 9.8, 2]), 3, twins);
  assert.deepEqual([first!.doc, second!.doc, first!.variety], [0, 1, undefined]);
  assert.ok(second!.variety! > 0.7 && second!.variety! < 1 && second!.score === 9.8 * second!.variety!);
});

test('hits that differ keep their order and their scores', () => {
  const best = rank([5, 4, 3, 2]);
  assert.deepEqual(
    vary(best, 4, () => 0.7),
    best,
  );
});

test('every page shows the same order, with scores that never rise and no hit lost', () => {
  const scores = fc.array(fc.double({ min: 0.1, max: 20, noNaN: true }), { minLength: 1, maxLength: RERANKED + 20 });
  fc.assert(
    fc.property(scores, fc.nat(), fc.nat(RERANKED + 25), (list, seed, keep) => {
      const best = rank(list.toSorted((a, b) => b - a));
      const likeness = (a: number, b: number) => Math.abs(Math.sin(seed + a * b + a + b));
      const all = vary(best, best.length, likeness);
      assert.deepEqual(docs(vary(best, keep, likeness)), docs(all).slice(0, keep));
      assert.deepEqual(docs(all).toSorted(), docs(best).toSorted());
      for (const [i, hit] of all.entries()) assert.ok(i === 0 || hit.score <= all[i - 1]!.score);
    }),
  );
});

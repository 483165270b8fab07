import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { meanMetrics, quantile, scoreRanking } from './score-ranking.ts';

const CUTS = { recallAt: [1, 5, 10], ndcgAt: 10, mrrAt: 100 };
const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);
const filler = (count: number) => Array.from({ length: count }, (_, i) => `other-${i}`);

describe('one ranking', () => {
  test('is perfect when the only gold item comes first', () => {
    assert.deepEqual(scoreRanking(['a', 'b'], ['a'], CUTS), {
      recall: {
        1: { any: 1, fraction: 1, all: 1 },
        5: { any: 1, fraction: 1, all: 1 },
        10: { any: 1, fraction: 1, all: 1 },
      },
      ndcg: 1,
      mrr: 1,
    });
  });

  test('tells any, fraction and all apart', () => {
    const { recall, ndcg, mrr } = scoreRanking(['x', 'a', 'y', 'b', 'z', 'c'], ['a', 'b', 'c', 'd'], CUTS);
    assert.deepEqual(recall[1], { any: 0, fraction: 0, all: 0 });
    assert.deepEqual(recall[5], { any: 1, fraction: 0.5, all: 0 });
    assert.deepEqual(recall[10], { any: 1, fraction: 0.75, all: 0 });
    assert.equal(mrr, 0.5);
    // Ranks 2, 4, 6 against the ideal 1, 2, 3, 4.
    near(
      ndcg,
      (1 / Math.log2(3) + 1 / Math.log2(5) + 1 / Math.log2(7)) / (1 + 1 / Math.log2(3) + 1 / 2 + 1 / Math.log2(5)),
    );
  });

  test('counts a gold item behind the cut in MRR alone, and only to its own cut', () => {
    const late = scoreRanking([...filler(19), 'a'], ['a'], CUTS);
    assert.deepEqual([late.recall[10]!.any, late.ndcg, late.mrr], [0, 0, 0.05]);
    assert.equal(scoreRanking([...filler(100), 'a'], ['a'], CUTS).mrr, 0);
    assert.equal(scoreRanking([...filler(99), 'a'], ['a'], CUTS).mrr, 0.01);
  });

  test('cannot ask for more of the ideal than the cut has room for', () => {
    const gold = filler(12);
    const { recall, ndcg } = scoreRanking(gold, gold, CUTS);
    near(ndcg, 1);
    assert.deepEqual([recall[10]!.any, recall[10]!.fraction, recall[10]!.all], [1, 10 / 12, 0]);
  });

  test('is zero where nothing was found', () => {
    assert.deepEqual(scoreRanking([], ['a'], { recallAt: [10], ndcgAt: 10, mrrAt: 100 }), {
      recall: { 10: { any: 0, fraction: 0, all: 0 } },
      ndcg: 0,
      mrr: 0,
    });
  });
});

describe('several rankings', () => {
  test('are averaged figure by figure', () => {
    const mean = meanMetrics([
      scoreRanking(['a', 'b'], ['a', 'b'], CUTS),
      scoreRanking(['x'], ['a'], CUTS),
      scoreRanking(['x', 'a'], ['a', 'b'], CUTS),
    ])!;
    near(mean.recall[10]!.any, 2 / 3);
    near(mean.recall[10]!.fraction, 1.5 / 3);
    near(mean.recall[10]!.all, 1 / 3);
    near(mean.mrr, 1.5 / 3);
  });

  test('of which there is none have no mean', () => {
    assert.equal(meanMetrics([]), null);
  });
});

test('a quantile is one of the values', () => {
  assert.equal(quantile([5, 1, 4, 2, 3], 0.5), 3);
  assert.equal(quantile([1, 2, 3, 4], 0.95), 4);
  assert.equal(quantile([7], 0.025), 7);
});

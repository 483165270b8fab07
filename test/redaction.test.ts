import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFalseHits, measureRecall, sum } from '../evals/redaction/measure.ts';
import { sampleNegatives } from '../evals/redaction/negatives.ts';
import { type Sample, sampleNamed, samplePasswords, sampleTokens } from '../evals/redaction/positives.ts';
import { measureProse, readProse } from '../evals/redaction/prose.ts';
import { seededRandom } from '../src/evaluation/seeded-random.ts';

const random = seededRandom(7);

function assertRecall(samples: readonly Sample[], least: number): void {
  const recall = measureRecall(samples);
  const share = sum(recall, 'found') / sum(recall, 'samples');
  const missed = recall.filter((one) => one.missed.length > 0).map((one) => `${one.kind}: ${one.missed[0]}`);
  assert.ok(share >= least, `${share}\n${missed.join('\n')}`);
}

test('secrets of every format are found wherever they stand', () => {
  assertRecall(sampleTokens(13, random), 0.98);
  assertRecall(sampleNamed(6, random), 0.98);
});

test('most passwords are found by the name before them', () => {
  assertRecall(samplePasswords(500, random), 0.85);
});

test('hashes, ids, images, placeholders and code are left as they are', () => {
  const negatives = sampleNegatives(1000, random);
  const hits = findFalseHits(negatives);
  assert.ok(
    hits.length <= negatives.length / 100,
    hits.map(({ kind, text }) => `${kind}: ${text.slice(0, 200)}`).join('\n'),
  );
});

test('prose is left as it is, and read fast', (t) => {
  const texts = readProse(5e6);
  if (texts.length === 0) return t.skip('no prose on this machine');
  const { bytes, seconds, replaced } = measureProse(texts);
  assert.ok(replaced.length <= bytes / 1e6, JSON.stringify(replaced.slice(0, 5)));
  assert.ok(bytes / 1e6 / seconds >= 2, `${bytes / 1e6 / seconds} MB/s`);
});

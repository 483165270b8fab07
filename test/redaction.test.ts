import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawKeys, HELD_OUT_KEYS, TUNING_KEYS } from '../evals/redaction/draw-keys.ts';
import { drawAssigned, drawProse, drawTokens } from '../evals/redaction/draw-texts.ts';
import { findFalseHits, measureRecall, sum } from '../evals/redaction/measure.ts';
import { countLeft, plantInShapes } from '../evals/redaction/measure-shapes.ts';
import { sampleNegatives } from '../evals/redaction/negatives.ts';
import { PLACES } from '../evals/redaction/places.ts';
import { type Sample, sampleNamed, samplePasswords, sampleTokens } from '../evals/redaction/positives.ts';
import { measureReal, readReal } from '../evals/redaction/real-text.ts';
import { type Shapes, TUNED } from '../evals/redaction/shapes.ts';
import { HELD_OUT_SHAPES } from '../evals/redaction/shapes-held-out.ts';
import { HELD_OUT } from '../evals/redaction/texts-held-out.ts';
import { TUNING } from '../evals/redaction/texts-tuning.ts';
import { seededRandom } from '../src/features/evaluation/seeded-random.ts';
import { replaceSecrets } from '../src/privacy/replace-secrets.ts';
import { screenText } from '../src/privacy/screen.ts';

const random = seededRandom(7);

/** Of a held-out half only the figure is told, so that nobody tunes a rule on it. */
function assertRecall(samples: readonly Sample[], least: number, tells = true): void {
  const recall = measureRecall(samples);
  const share = sum(recall, 'found') / sum(recall, 'samples');
  const missed = recall.filter((one) => one.missed.length > 0).map((one) => `${one.kind}: ${one.missed[0]}`);
  assert.ok(share >= least, `${share}\n${tells ? missed.join('\n') : ''}`);
}

test('secrets of every format are found wherever they stand', () => {
  assertRecall(sampleTokens(13, random), 0.98);
  assertRecall(sampleNamed(6, random), 0.98);
});

test('tokens are found although they are cut, glued to words, escaped or in Base64', () => {
  assertRecall(drawTokens(TUNING, random), 0.99);
  assertRecall(drawTokens(HELD_OUT, random), 0.99, false);
});

test('private keys and web tokens are found in every form they are written in', () => {
  assertRecall(drawKeys(TUNING_KEYS, 6, random), 0.99);
  assertRecall(drawKeys(HELD_OUT_KEYS, 6, random), 0.99, false);
});

/** The share of what was planted of which pieces are left. */
function shareLeft(
  shapes: Shapes,
  group: keyof Shapes,
  change = (text: string): string => replaceSecrets(text).text,
): number {
  const only: Shapes = { keys: {}, passwords: {}, tokens: {}, placed: {}, [group]: shapes[group] };
  const figures = countLeft(plantInShapes(only, random, { keys: 16, each: 8 }), change);
  const left = figures.reduce((sum, one) => sum + one.left, 0);
  return left / figures.reduce((sum, one) => sum + one.planted, 0);
}

test('all lines of a private key go, whatever stands before and after them', () => {
  for (const shapes of [TUNED, HELD_OUT_SHAPES]) {
    const left = shareLeft(shapes, 'keys');
    assert.ok(left <= 0.01, `${left}`);
    const screened = shareLeft(shapes, 'keys', (text) => screenText(text).value);
    assert.ok(screened <= 0.01, `${screened}`);
  }
});

test('the head of a key without a body is no secret', () => {
  const head = ['-----BEGIN RSA PRIVATE', ' KEY-----'].join('');
  for (const text of [
    `if (text.startsWith('${head}')) return parse(text);`,
    `It begins with ${head} and ends with ${head.replace('BEGIN', 'END')}.`,
  ])
    assert.equal(screenText(text).value, text);
});

test('a token is found in a path', () => {
  for (const shapes of [TUNED, HELD_OUT_SHAPES]) assert.equal(shareLeft(shapes, 'tokens'), 0);
});

test('passwords of all printable signs are found in every syntax', () => {
  const left = shareLeft(TUNED, 'passwords');
  assert.ok(left <= 0.015, `${left}`);
  assert.ok(shareLeft(HELD_OUT_SHAPES, 'passwords') <= 0.1);
});

test('secrets that only their place gives away are found beside ids, in commands and under names', () => {
  assert.ok(shareLeft(TUNED, 'placed') <= 0.01);
  assert.ok(shareLeft(HELD_OUT_SHAPES, 'placed') <= 0.1);
});

test('what is found on lines of its own is found inside sentences and list items', () => {
  for (const shapes of [TUNED, HELD_OUT_SHAPES])
    for (const [place, put] of Object.entries(PLACES))
      for (const group of ['passwords', 'placed'] as const) {
        const only: Shapes = { keys: {}, passwords: {}, tokens: {}, placed: {}, [group]: shapes[group] };
        const planted = plantInShapes(only, random, { keys: 0, each: 6 });
        const texts = planted.map((one) => ({ ...one, text: put(one.text) }));
        const figures = countLeft(texts, (text) => replaceSecrets(text).text);
        const left = figures.reduce((sum, one) => sum + one.left, 0) / texts.length;
        assert.ok(left <= 0.03, `${group} in ${place}: ${left}`);
      }
});

test('passwords are found by the name before them', () => {
  assertRecall(samplePasswords(500, random), 0.93);
  assertRecall(drawAssigned(TUNING, 4, random), 0.97);
  assertRecall(drawAssigned(HELD_OUT, 4, random), 0.95, false);
});

test('passwords are found in sentences of seven languages', () => {
  assertRecall(drawProse(TUNING, 4, random), 0.95);
  assertRecall(drawProse(HELD_OUT, 4, random), 0.85, false);
});

test('hashes, ids, images, placeholders and code are left as they are', () => {
  const negatives = sampleNegatives(1000, random);
  const hits = findFalseHits(negatives);
  assert.ok(
    hits.length <= negatives.length / 100,
    hits.map(({ kind, text }) => `${kind}: ${text.slice(0, 200)}`).join('\n'),
  );
});

test('real prose and real code are left as they are', (t) => {
  for (const kind of ['nearProse', 'nearCode'] as const) {
    const { bytes, replaced } = measureReal(readReal(kind, 'tuning', 5e6));
    if (bytes === 0) return t.skip('no text on this machine');
    assert.ok(replaced.length <= Math.max(2, bytes / 1e6), JSON.stringify(replaced.slice(0, 5)));
  }
});

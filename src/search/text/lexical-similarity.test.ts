import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lexicalSimilarity } from './lexical-similarity.ts';

/** What 0.85, the border of "near duplicate", means. */
const near: readonly (readonly [string, string])[] = [
  [
    'The deploy runs every Tuesday at noon from the main branch',
    'The deploy runs every Tuesday at noon, from main branch',
  ],
  [
    'We decided to use PostgreSQL for the billing service',
    'We have decided to use PostgreSQL for the billing service.',
  ],
  [
    'Users report that login fails after the token expires',
    'users report that the login fails after their token expired',
  ],
];
const different: readonly (readonly [string, string])[] = [
  ['The deploy runs every Tuesday at noon', 'Every Tuesday at noon we eat pizza'],
  ['We decided to use PostgreSQL for the billing service', 'We decided to use SQLite for the search service'],
  ['Login fails when the token has expired', 'Authentication breaks once credentials are out of date'],
  ['The cache lives in Redis', 'The cache lives in memory'],
];

test('puts near duplicates at 0.85 or above and different statements below', () => {
  for (const [a, b] of near) assert.ok(lexicalSimilarity(a, b) >= 0.85, `${lexicalSimilarity(a, b)} ${a}`);
  for (const [a, b] of different) assert.ok(lexicalSimilarity(a, b) < 0.85, `${lexicalSimilarity(a, b)} ${a}`);
});

test('is 1 where only case, accents, white space or punctuation differ', () => {
  assert.equal(lexicalSimilarity('The Café is  open!', 'the cafe is open'), 1);
  assert.equal(lexicalSimilarity('', ''), 1);
  assert.equal(lexicalSimilarity('🎉', '🎉'), 1);
});

test('keeps long texts that differ in one number, name or negation below 0.95', () => {
  const long = 'the service restarts itself whenever the health check does report a failure twice in a row '.repeat(8);
  const base = `${long} after 30 seconds on host-a it is enabled`;
  for (const other of [
    base.replace('30', '45'),
    base.replace('host-a', 'host-b'),
    base.replace('is enabled', 'is not enabled'),
  ]) {
    const similarity = lexicalSimilarity(base, other);
    assert.ok(similarity < 0.95 && similarity > 0.7, String(similarity));
  }
});

test('is 0 for texts without a common word', () => {
  assert.equal(lexicalSimilarity('alpha beta', 'gamma delta'), 0);
  assert.equal(lexicalSimilarity('alpha', ''), 0);
});

test('compares Chinese and Japanese as well', () => {
  assert.ok(lexicalSimilarity('认证错误是因为令牌过期', '认证错误是由于令牌过期') > 0.6);
  assert.ok(lexicalSimilarity('猫が好きです', '会議は十時からです') < 0.3);
});

test('is symmetric and stays between 0 and 1', () => {
  const text = fc
    .array(fc.constantFrom('the', 'a', 'deploy', 'token', '30', 'host-a', 'not', '認証', 'fails'), { maxLength: 12 })
    .map((words) => words.join(' '));
  fc.assert(
    fc.property(text, text, (a, b) => {
      const similarity = lexicalSimilarity(a, b);
      assert.ok(similarity >= 0 && similarity <= 1);
      assert.ok(Math.abs(similarity - lexicalSimilarity(b, a)) < 1e-9);
    }),
  );
});

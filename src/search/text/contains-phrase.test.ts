import assert from 'node:assert/strict';
import { test } from 'node:test';
import { containsPhrase } from './contains-phrase.ts';

test('ignores case, accents and white space', () => {
  assert.ok(containsPhrase('The Café\n  Münster is open', 'cafe munster'));
  assert.ok(containsPhrase('rate limit: 5', 'Rate  Limit'));
  assert.ok(containsPhrase('ＲＡＴＥ limit', 'rate limit'));
});

test('begins and ends on word borders', () => {
  assert.ok(!containsPhrase('generate limits', 'rate limit'));
  assert.ok(!containsPhrase('the rate limits', 'rate limit'));
  assert.ok(containsPhrase('generate limits, rate limit', 'rate limit'));
  assert.ok(containsPhrase('use C++17', 'C++'));
  assert.ok(containsPhrase('call foo(bar)', '(bar)'));
});

test('finds a phrase anywhere in scripts without spaces', () => {
  assert.ok(containsPhrase('新しい認証エラーが出た', '認証エラー'));
  assert.ok(!containsPhrase('カード', 'ガード'));
});

test('finds no empty phrase', () => {
  assert.ok(!containsPhrase('anything', '  '));
});

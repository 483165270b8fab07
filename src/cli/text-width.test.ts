import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutText, textWidth, wrapText } from './text-width.ts';

test('counts columns: two for East Asian letters and emoji, none for accents on top', () => {
  assert.equal(textWidth('abc'), 3);
  assert.equal(textWidth('認証'), 4);
  assert.equal(textWidth('e\u0301'), 1);
  assert.equal(textWidth('🚀'), 2);
});

test('cuts to the width and shows it', () => {
  assert.equal(cutText('short', 5), 'short');
  assert.equal(cutText('a longer line', 9), 'a longer…');
  assert.equal(textWidth(cutText('認証エラー', 7)), 7);
});

test('wraps at spaces, and inside words that are too long', () => {
  assert.deepEqual(wrapText('one two three four', 9), ['one two', 'three', 'four']);
  assert.deepEqual(wrapText('abcdefghij kl', 4), ['abcd', 'efgh', 'ij', 'kl']);
  assert.deepEqual(wrapText('認証エラー', 4), ['認証', 'エラ', 'ー']);
  assert.deepEqual(wrapText('', 10), []);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutText, shorten } from './cut-text.ts';

test('cuts to a length, and never through a character', () => {
  assert.equal(cutText('abc', 3), 'abc');
  assert.equal(cutText('abcd', 3), 'abc');
  assert.equal(cutText('ab😀', 3), 'ab');
  assert.equal(cutText('ab😀c', 4), 'ab😀');
  assert.equal(shorten('abcd', 3), 'abc…');
  assert.equal(shorten('abc', 3, '...'), 'abc');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { highlightWords } from './highlight-words.ts';

const mark = (word: string): string => `<${word}>`;

test('marks whole words that begin with an indexed stem', () => {
  assert.equal(
    highlightWords('Configured the configuration, misconfigured', ['configur'], mark),
    '<Configured> the <configuration>, misconfigured',
  );
  assert.equal(highlightWords('a happy end', ['happi'], mark), 'a <happy> end');
});

test('marks pieces of scripts without spaces', () => {
  assert.equal(highlightWords('認証エラーが出た', ['認証'], mark), '<認証>エラーが出た');
});

test('takes every character of a term literally', () => {
  assert.equal(highlightWords('C++ and C', ['c++'], mark), '<C++> and C');
  assert.equal(highlightWords('plain', [], mark), 'plain');
});

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { hashHere, sha256 } from './sha256.ts';

const expected = (text: string) => createHash('sha256').update(text).digest('hex');

test('hashes every length around the borders of blocks as Node does', () => {
  for (let length = 0; length < 300; length++) {
    const text = Array.from({ length }, (_, i) => String.fromCharCode(32 + ((i * 7 + length) % 90))).join('');
    assert.equal(hashHere(Buffer.from(text)).toString('hex'), expected(text), `${length}`);
  }
});

test('hashes other scripts, and long texts after short ones, as Node does', () => {
  for (const text of ['', 'Zürich 認証エラー 🦊', 'a'.repeat(1000), 'b'.repeat(5000), 'short again'])
    assert.equal(sha256(text).toString('hex'), expected(text));
});

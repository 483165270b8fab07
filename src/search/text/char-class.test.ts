import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classAt, LOWER, UPPER } from './char-class.ts';

test('characters of Latin-1 and of typeset text have the classes that Unicode gives them', () => {
  for (let code = 0xa0; code < 0x2100; code++) {
    const char = String.fromCodePoint(code);
    const isUpper = /[\p{Lu}\p{Lt}]/u.test(char);
    const isLower = /[\p{L}\p{M}]/u.test(char) && !isUpper;
    if (code > 0xff && code < 0x2010) continue;
    const kind = classAt(char, 0);
    assert.equal((kind & UPPER) === UPPER, isUpper, `U+${code.toString(16)}`);
    if (isLower) assert.equal(kind & LOWER, LOWER, `U+${code.toString(16)}`);
  }
});

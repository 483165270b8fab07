import assert from 'node:assert/strict';
import { test } from 'node:test';
import { safeJson, safeLine, safeText } from './safe-text.ts';

const ESCAPE = '\u001b';

test('shows escape sequences instead of sending them', () => {
  const attack = `${ESCAPE}]52;c;cm0gLXJm\u0007${ESCAPE}[2J\u009b31mred\r\u0008`;
  assert.equal(safeText(attack), '␛]52;c;cm0gLXJm␇␛[2J\\u{9b}31mred␍␈');
});

test('shows characters that reverse or hide text', () => {
  assert.equal(safeText('a\u202eb\u200bc\u{e0041}d'), 'a\\u{202e}b\\u{200b}c\\u{e0041}d');
});

test('keeps lines, letters of every language and joined emoji', () => {
  assert.equal(safeText('eins\r\nzwei\tdrei 認証 👩‍💻'), 'eins\nzwei    drei 認証 👩‍💻');
  assert.equal(safeLine(' one\n\n two '), 'one two');
});

test('makes JSON safe without changing what it says', () => {
  const value = { text: `${ESCAPE}[2J\u009b\u007f\u202e` };
  const json = safeJson(JSON.stringify(value));
  assert.match(json, /^[\u0020-\u007e]*$/);
  assert.deepEqual(JSON.parse(json), value);
});

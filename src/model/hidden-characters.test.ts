import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeHiddenInJson, hiddenInNames, matchHidden, showHidden, unifyLineBreaks } from './hidden-characters.ts';

const HIDDEN = {
  controls: ['\0', '\v', '\f', '\r', '\u001b', '\u007f', '\u0085', '\u009b'],
  lineSeparators: ['\u2028', '\u2029'],
  marks: ['\u061c', '\u200e', '\u200f'],
  overrides: ['\u202a', '\u202e', '\u2066', '\u2069'],
  zeroWidthSpace: ['\u200b'],
  invisible: [
    '\u2060',
    '\u2064',
    '\u206a',
    '\u206f',
    '\ufeff',
    '\ufff9',
    '\ufffb',
    '\u034f',
    '\u115f',
    '\u1160',
    '\u17b5',
    '\u180e',
    '\u3164',
    '\uffa0',
    '\u{1d173}',
    '\u{e0fff}',
  ],
  tags: ['\u{e0001}', '\u{e0041}', '\u{e007f}'],
} as const;
const NEEDED = ['\t', '\n', ' ', '\u00a0', '\u00ad', '\u200c', '\u200d', '\ufe0f', '\u0301', 'é', '認', '👩'];

test('each class holds its own characters and no others', () => {
  const classes = Object.keys(HIDDEN) as (keyof typeof HIDDEN)[];
  for (const one of classes) {
    for (const other of classes) {
      for (const character of HIDDEN[other]) {
        assert.equal(character.replace(matchHidden(one), ''), one === other ? '' : character, `${one}, ${other}`);
      }
    }
  }
});

test('all classes together spare what languages and emoji need', () => {
  for (const character of Object.values(HIDDEN).flat()) assert.equal(character.replace(matchHidden(), ''), '');
  for (const character of NEEDED) assert.equal(character.replace(matchHidden(), ''), character);
});

test('names are stricter: no joiner, no soft hyphen, no half of a pair', () => {
  for (const character of [...Object.values(HIDDEN).flat(), '\u200c', '\u200d', '\u00ad', '\ud83d']) {
    assert.match(`a${character}b`, hiddenInNames());
  }
  for (const name of ['Anna Müller', '山田太郎', 'O’Brien-Łukasz', 'e\u0301', '👩'])
    assert.doesNotMatch(name, hiddenInNames());
});

test('shows what is hidden, and unifies line breaks', () => {
  assert.equal(showHidden('a\u202eb\u{e0041}c\u001bd\te'), 'a\\u{202e}b\\u{e0041}c\\u{1b}d\te');
  assert.equal(unifyLineBreaks('a\r\nb\rc\vd\fe\u0085f\u2028g\u2029h'), 'a\nb\nc\nd\ne\nf\ng\nh');
});

test('escapes in JSON without changing what it says', () => {
  const value = { text: Object.values(HIDDEN).flat().join('x') };
  const json = escapeHiddenInJson(JSON.stringify(value));
  assert.match(json, /^[\u0020-\u007e]*$/);
  assert.deepEqual(JSON.parse(json), value);
});

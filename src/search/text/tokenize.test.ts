import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { tokenize } from './tokenize.ts';
import { MAX_TERM_LENGTH } from './word-term.ts';

const rows: readonly (readonly [string, string])[] = [
  ['getUserById', 'getuserbyid get user by id'],
  ['snake_case_name', 'snake_case_name snake case name'],
  ['foo-bar', 'foo-bar foo bar'],
  ['a.ts', 'a.ts a ts'],
  ['src/auth/login.ts', 'src/auth/login.ts src auth login.ts login ts'],
  ['ECONNRESET', 'econnreset'],
  ['C++ and C# or F#', 'c++ c and c# c or f# f'],
  ['.NET', '.net net'],
  ['ASP.NET', 'asp.net asp net'],
  ['v2.10.3', 'v2.10.3 v2 v 2 10 3'],
  ['HTTP2Server', 'http2server http 2 server'],
  ['OAuth2', 'oauth2 oauth o auth 2'],
  ['user@host.com', 'user@host.com user host.com host com'],
  ['0x1F', '0x1f'],
  ['utf8', 'utf8 utf 8'],
  ['the URLs of PRs', 'the url of pr'],
  ['foo::bar', 'foo::bar foo bar'],
  ['C:\\Users\\me', 'c:\\users\\me c user me'],
  ['wait...what? Yes.', 'wait what yes'],
  ['one -- two', 'one two'],
  ["Mary’s don't O'Brien", 'mari dont o brien'],
  ['went going children', 'go go child'],
  ['résumé Größe Ёлка', 'resum gross елка'],
  ['ＡＢＣ', 'abc'],
  ['ｴﾗｰ', 'エラ ラー'],
  ['ガード', 'ガー ード'],
  ['ガード'.normalize('NFD'), 'ガー ード'],
  ['안녕하세요', '안녕 녕하 하세 세요'],
  ['認証エラー', '認証 証エ エラ ラー'],
  ['令牌过期', '令牌 牌过 过期 期'],
  ['猫', '猫'],
  ['𠮷野家', '𠮷野 野家 家'],
  ['ภาษาไทยง่าย', 'ภาษา ไทย ง่าย'],
  ['मैं हिन्दी', 'मैं हिन्दी'],
  ['done 🎉!', 'do'],
  ['🎉', '🎉'],
  ['3f786850e387550fdab836ed7e6dc881de23001b', '3f786850e387550fdab836ed7e6dc881de23001b'],
];

for (const [text, terms] of rows) {
  test(`cuts ${JSON.stringify(text)} into ${terms}`, () => assert.deepEqual(tokenize(text), terms.split(' ')));
}

test('finds a word written in any of its forms', () => {
  for (const pair of [
    'youtube YouTube',
    'connection connected',
    'Resumes résumé',
    'deployed deploying',
    'IDs id',
    'github GitHub',
  ]) {
    const [a = '', b = ''] = pair.split(' ');
    assert.equal(tokenize(a)[0], tokenize(b)[0], pair);
  }
});

test('keeps only the beginning of a blob', () => {
  const blob = Buffer.from(Array.from({ length: 3000 }, (_, i) => (i * 7919) % 251)).toString('base64url');
  const terms = tokenize(`key ${blob} end`);
  assert.equal(terms[0], 'key');
  assert.equal(terms[1], blob.toLowerCase().slice(0, MAX_TERM_LENGTH));
  assert.deepEqual(terms.slice(2), ['end']);
});

test('takes any string without failing and never makes a term over its limit', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes)),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      for (const term of tokenize(text)) assert.ok(term.length > 0 && term.length <= MAX_TERM_LENGTH);
    }),
    { numRuns: 2000 },
  );
});

test('gives a word of plain letters one term, and a text the terms of its words', () => {
  const word = fc.stringMatching(/^[a-z]{1,12}$/);
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), (words) =>
      assert.deepEqual(tokenize(words.join(' ')), words.flatMap(tokenize)),
    ),
  );
});

test('takes a time that grows with the length alone, for a megabyte of one character too', () => {
  const timeOf = (unit: string, length: number): number => {
    const started = process.cpuUsage();
    tokenize(unit.repeat(length / unit.length));
    return process.cpuUsage(started).user;
  };
  for (const unit of [
    'a',
    'A',
    '1',
    '.',
    '/',
    'a/',
    'aB',
    'a1',
    '漢',
    'ก',
    '🎉',
    '\ud800',
    '-',
    'a-',
    ' ',
    "'",
    'é',
    '٠',
  ]) {
    // Ten times the length: what is linear takes ten times as long, what is not, a hundred times. The constant is for the clock. A compiler or a collection of
    // garbage may fall into one measurement, hardly into five.
    const isLinear = (): boolean => {
      const short = timeOf(unit, 100_000);
      return timeOf(unit, 1_000_000) < 30 * short + 100_000;
    };
    assert.ok([1, 2, 3, 4, 5].some(isLinear), JSON.stringify(unit));
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { firstLine, makeSnippet } from './make-snippet.ts';

const filler = 'Nothing of interest happens in this long sentence about the weather. '.repeat(10);

test('returns a short text unchanged', () => {
  assert.deepEqual(makeSnippet('a\n  b', ['a'], 10), { snippet: 'a\n  b', whole: true });
});

test('shows the place where most of the matched terms meet, cut between words', () => {
  const text = `${filler}The token expired.\n${filler}The auth token expired and the login failed. ${filler}`;
  const { snippet, whole } = makeSnippet(text, ['auth', 'token', 'login', 'fail'], 120);
  assert.equal(whole, false);
  assert.match(snippet, /auth token expired and the login failed/);
  assert.match(snippet, /^…\w+ .* \w+…$/);
  assert.ok(snippet.length <= 120);
});

test('begins at the beginning when nothing matched or the match is there', () => {
  assert.match(makeSnippet(filler, [], 60).snippet, /^Nothing of interest .*…$/);
  assert.match(makeSnippet(filler, ['interest'], 60).snippet, /^Nothing of interest/);
});

test('finds matches in text without spaces and in full-width letters', () => {
  const long = '今日は天気が良いので散歩に行きました。'.repeat(20);
  assert.match(makeSnippet(`${long}認証エラーが出た。${long}`, ['認証', '証エ'], 60).snippet, /認証エラー/);
  assert.match(makeSnippet(`${long}㈱ ＴＯＫＥＮ ｴﾗｰ。${long}`, ['token'], 60).snippet, /ＴＯＫＥＮ/);
});

test('never exceeds its length and never cuts a character in two', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 30, maxLength: 400 }),
      fc.integer({ min: 3, max: 80 }),
      (text, max) => {
        const { snippet, whole } = makeSnippet(text, ['a', 'e'], max);
        assert.ok(snippet.length <= max, `${snippet.length} > ${max}`);
        assert.equal(whole, snippet === text);
        assert.ok(snippet.isWellFormed() || !text.isWellFormed());
      },
    ),
    { numRuns: 500 },
  );
});

test('takes the first line that says something as the title, without Markdown marks', () => {
  assert.equal(firstLine('\n---\n## **Deploy** notes\nmore', 80), 'Deploy notes');
  assert.equal(firstLine('- [ ] fix `login.ts`', 80), 'fix login.ts');
  assert.equal(firstLine('> * quoted', 80), 'quoted');
  assert.equal(firstLine('```ts\nconst a = 1;', 80), 'const a = 1;');
  assert.equal(firstLine('-5 degrees, *args, #channel', 80), '-5 degrees, *args, #channel');
  assert.equal(firstLine(' \n\t\n', 80), '');
});

test('cuts a long title between words', () => {
  const title = firstLine('The quick brown fox jumps over the lazy dog', 22);
  assert.equal(title, 'The quick brown fox…');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseQuery } from './parse-query.ts';
import { tokenize } from './tokenize.ts';

function show(query: string): string {
  return parseQuery(query)
    .terms.map((each) => `${each.term}${each.kind === 'prefix' ? '*' : ''}:${each.weight}@${each.group}`)
    .join(' ');
}

test('lets function words count little beside others, and fully when there are no others', () => {
  assert.equal(show('when did Caroline go'), 'when:0.15@0 do:0.15@1 carolin:1@2 go:1@3');
  assert.equal(show('the who'), 'the:1@0 who:1@1');
  assert.equal(show('¿dónde está el servidor?'), 'dond:0.15@0 esta:0.15@1 el:0.15@2 servidor:1@3');
});

test('lets the name of a language count half beside other words, and fully when there are none', () => {
  const weights = (query: string) =>
    Object.fromEntries(parseQuery(query).terms.map(({ term, weight }) => [term, weight]));
  assert.deepEqual(weights('python read file'), { python: 0.5, read: 1, file: 1 });
  assert.deepEqual(weights('in Python'), { in: 0.15, python: 1 });
});

test('gives the parts of a token a quarter of the weight of the whole, in one group', () => {
  assert.equal(show('login.ts fails'), 'login.ts:1@0 login:0.25@0 ts:0.25@0 fail:1@1');
});

test('takes quoted text in any common quotes as a phrase whose words are terms as well', () => {
  const { phrases, terms } = parseQuery('"rate limit" “Auth  flow” „drei Wörter“ 「認証エラー」 «deux mots»');
  assert.deepEqual(phrases, ['rate limit', 'Auth  flow', 'drei Wörter', '認証エラー', 'deux mots']);
  for (const word of ['rate', 'limit', 'flow', 'worter', '認証', 'mot'])
    assert.ok(
      terms.some((each) => each.term === word),
      word,
    );
});

test('reads a star behind a word as a prefix, and adds stems that are shorter than the prefix', () => {
  assert.equal(show('auth*'), 'auth*:1@0');
  assert.equal(show('happy*'), 'happy*:1@0 happi:1@0');
  for (const prefix of ['authenti*', 'authentica*', 'authentication*', 'connectivi*', 'deploye*']) {
    const word = { a: 'authentication', c: 'connectivity', d: 'deployed' }[prefix.charAt(0)] ?? '';
    const [indexed = ''] = tokenize(word);
    assert.ok(
      parseQuery(prefix).terms.some(({ term, kind }) =>
        kind === 'prefix' ? indexed.startsWith(term) : indexed === term,
      ),
      prefix,
    );
  }
  assert.equal(show('**bold** a* 2*3'), 'bold:1@0 a:0.15@1 2:1@2 3:1@3');
});

test('looks for a character of its own as the beginning of a pair, but not for the last one of a run', () => {
  assert.equal(show('猫'), '猫*:1@0');
  assert.equal(show('全文検索'), '全文:1@0 文検:1@1 検索:1@2');
});

test('has no syntax errors', () => {
  assert.equal(show('AND OR NOT'), 'and:1@0 or:1@1 not:1@2');
  assert.equal(show('"unbalanced (^%'), 'unbalanc:1@0');
  assert.deepEqual(parseQuery('"" “” ""').phrases, []);
  assert.deepEqual(parseQuery('   '), { terms: [], phrases: [], saysMore: false });
  assert.deepEqual([parseQuery('"red fox" “a b”?').saysMore, parseQuery('where is "red fox"').saysMore], [false, true]);
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('"', '*', '^', ':', '(', '-', '~', '%', '\\', '「'),
      (text, sign) => {
        const { terms } = parseQuery(text + sign + text);
        assert.ok(terms.length <= 64 && terms.every(({ term, weight }) => term !== '' && weight > 0 && weight <= 1));
      },
    ),
    { numRuns: 1000 },
  );
});

test('keeps the 64 weightiest terms of a page and each of them once', () => {
  const page = `${Array.from({ length: 500 }, (_, i) => `the word${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}`).join(' ')}`;
  const { terms } = parseQuery(page);
  assert.equal(terms.length, 64);
  assert.ok(!terms.some(({ term }) => term === 'the'));
  assert.equal(new Set(terms.map(({ term }) => term)).size, 64);
});

test('asks for terms that the index has', () => {
  const text =
    'The getUserById call in src/auth/login.ts failed with ECONNRESET on .NET and C++, 認証エラー, ｴﾗｰ, naïve';
  const indexed = new Set(tokenize(text));
  for (const { term } of parseQuery(text).terms) assert.ok(indexed.has(term), term);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldClaim } from '../../test/fold-claim.ts';
import { foldInSteps } from './fold-claim.ts';

const BASE = 'The staging port is 8080 and the API is v1.2';

test('case, blanks, quotes, marks, accents, look-alikes and what nobody sees make no difference', () => {
  for (const same of [
    'the  STAGING port is 8080 and the api is v1.2.',
    'Тhе stаgіng роrt іs 8080 аnd thе АРІ іs v1.2',
    'T\u200bhe sta\u00adging port\u202e is 8080\u{e0041} and the API is v1.2',
    'Ｔｈｅ staging port is ８０８０ and the API is v1.2',
    '“The staging port is 8080 and the API is v1.2”',
    '- **The staging port** is 8080, and the API is v1.2',
    'The\nstaging\tport\u00a0is 8080 and the API is v1.2',
    '𝐓𝐡𝐞 staging port is 8080 and the API is v1.2',
    'The stagıng pört is 8O8O and the API is vl.2',
    'The staging port is ٨٠٨٠ and the API is v1.2',
    'T h e staging port is 8080 and the API is v1.2',
    'ᎢᎻᎬ staging port is 8080 and the API is v1.2 #remember',
  ])
    assert.equal(foldClaim(same), foldClaim(BASE), same);
});

test('other values stay others', () => {
  for (const [one, other] of [
    [BASE, 'The staging port is 8081 and the API is v1.2'],
    [BASE, 'The staging port is 8080 and the API is v12'],
    [BASE, 'The staging port is 80 80 and the API is v1.2'],
    ['We use C++', 'We use C#'],
    ['We use C', 'We use C++'],
    ['costs 5', 'costs -5'],
    ['costs $5', 'costs 5'],
    ['x != y', 'x = y'],
    ['???', '!!!'],
    ['我不喜欢', '我喜欢'],
    ['か', 'が'],
    ['हिंदी भाषा', 'हद भष'],
  ] as const)
    assert.notEqual(foldClaim(one), foldClaim(other), `${one} | ${other}`);
});

test('takes time in proportion to the text, whatever it is made of', () => {
  for (const piece of ['* ', '\n - ', '. ', '(', '1 ', ') ', '`', '# h\n', 'Ь', '\u0301', ' .', '#remember ']) {
    const startedAt = performance.now();
    foldClaim(piece.repeat(Math.floor(100_000 / piece.length)));
    assert.ok(performance.now() - startedAt < 1_000, JSON.stringify(piece));
  }
});

test('long texts are folded in stretches, to the same whatever their blanks and case', () => {
  const words = Array.from({ length: 3000 }, (_, i) => `the port of host ${i} is ${i * 7}.`);
  const long = words.join(' ');
  assert.equal(foldClaim(long), words.map(foldClaim).join(''));
  assert.equal(foldClaim(words.join('\n').toUpperCase()), foldClaim(long));
  const steps = foldInSteps('ﷺ '.repeat(20_000));
  let pauses = 0;
  while (steps.next().done !== true) pauses++;
  assert.ok(pauses >= 9, `${pauses} pauses`);
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seededRandom } from '../seeded-random.ts';
import { makeQuestion, QUESTION_KINDS, type QuestionKind } from './make-question.ts';
import { countTexts, isIdentifier, splitWords } from './split-words.ts';

const TEXT = 'The nightly backup server failed with ERR_4711 because the disk of host db-07.internal was full.';
const others = ['The backup server is new.', 'The disk was full again.'];
const make = (kind: QuestionKind, text = TEXT, seed = 1) =>
  makeQuestion(kind, text, { random: seededRandom(seed), textsWith: countTexts([TEXT, ...others]) });
const wordsOf = (question: string | null) => splitWords(question ?? '').map((word) => word.toLowerCase());

describe('questions made from a memory', () => {
  test('keep rare words before common ones', () => {
    const words = wordsOf(make('rare_words'));
    assert.equal(words.length, 4);
    for (const common of ['the', 'was', 'backup', 'server', 'disk', 'full']) assert.ok(!words.includes(common), common);
  });

  test('leave identifiers out where the kind says so', () => {
    for (let seed = 0; seed < 20; seed++) {
      assert.deepEqual(wordsOf(make('no_identifiers', TEXT, seed)).filter(isIdentifier), []);
      assert.equal(wordsOf(make('two_words', TEXT, seed)).filter((word) => !isIdentifier(word)).length, 2);
    }
  });

  test('say some words differently', () => {
    const replaced = wordsOf(make('other_words', 'We fix the bug and deploy the server'));
    assert.ok(
      ['repair', 'defect', 'release', 'machine'].some((word) => replaced.includes(word)),
      replaced.join(' '),
    );
    assert.equal(make('other_words', 'Zephyr quokka xylophone'), null);
  });

  test('ask why, what or which', () => {
    assert.match(make('question') ?? '', /^why .*(backup|server|failed)/);
    assert.match(make('question', 'The staging port is 8443') ?? '', /^(what|which) is The staging port$/);
    assert.match(make('question', 'Marta prefers rye bread') ?? '', /^(what|which) (rye|bread) prefers Marta$/);
  });

  test('are the same for the same seed, and none is made of too little', () => {
    for (const kind of QUESTION_KINDS) {
      assert.equal(make(kind), make(kind));
      assert.equal(make(kind, 'ok'), null);
    }
  });

  test('cut words of Chinese too', () => {
    assert.ok(wordsOf(make('rare_words', '登录接口改用短期令牌，有效期十五分钟。')).length >= 3);
  });
});

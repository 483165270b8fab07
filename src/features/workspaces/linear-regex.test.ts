import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../../model/errors.ts';
import { compilePattern } from './linear-regex.ts';

const LINES = [
  '',
  'a',
  'abc',
  'ABC',
  'aab',
  'foo bar',
  'foobar',
  'x=1',
  'x = 42;',
  'Grüße',
  'über-all',
  '🎉 party',
  'a\tb',
  '"key": "v"',

  '2026-01-31T10:00:00Z',
  'C:\\temp',
  'aaaa',
  'abab',
  '(paren)',
  'a.b',
  'a+b',
  '日本語',
  'snake_case_name',
  '   ',
  'end$',
];
const PATTERNS = [
  'a',
  'a*',
  '^a+$',
  'a|b',
  '(ab)+',
  '(?:ab){2}',
  '^$',
  '\\bfoo\\b',
  'foo\\B',
  '[a-c]+',
  '[^a-z]',
  '\\d{2,4}',
  '\\d+-\\d+',

  '^\\w+$',
  '\\s',
  '\\S\\s\\S',
  '.',
  '^.{3}$',
  'x ?= ?\\d',
  '\\(.*\\)',
  'a\\.b',
  'a\\+b',
  '[\\w-]+all',
  '\\$$',
  '(a|b|)c',

  '\\p{Script=Han}',
  '[\\d:]+Z',
  'colou?r',
  'a{0,2}b',
  'a{2,}',
  '(a*)*b',
  '[]a]',
  '[a\\]]',
  '\\x41',
  '\\u{1F389}',
  '[^\\s"]+"',
  'a.*?b',
];

test('finds in a line what the language itself finds, with and without capital letters', () => {
  for (const source of PATTERNS)
    for (const caseSensitive of [true, false]) {
      const ours = compilePattern(source, { caseSensitive });
      const standard = source.replace('[]a]', '[\\]a]');
      const theirs = new RegExp(standard, caseSensitive ? 'u' : 'iu');
      for (const line of LINES)
        assert.equal(ours.test(line), theirs.test(line), `/${source}/ on ${JSON.stringify(line)}, ${caseSensitive}`);
    }
});

test('what makes others take exponential time takes time in proportion to the line', () => {
  for (const source of ['(a+)+$', '(a|aa)+$', '(a|a?)+$', '([a-z]*)*!', '(.*a){20}$', '(x+x+)+y']) {
    const pattern = compilePattern(source);
    const cpu = (length: number): number => {
      const line = `${'a'.repeat(length)}b`.replaceAll('a', source.includes('x') ? 'x' : 'a');
      const start = process.cpuUsage();
      pattern.test(line);
      const { user, system } = process.cpuUsage(start);
      return user + system;
    };
    cpu(1000);
    const [short, long] = [Math.max(cpu(20_000), 2000), cpu(200_000)];
    assert.ok(long < short * 100, `/${source}/ took ${long} µs for ten times what took ${short} µs`);
  }
});

test('a pattern that needs going back, or is not sound, is refused with a reason', () => {
  const refused = [
    '(a)\\1',
    '(?=a)',
    '(?<!a)b',
    '\\k<x>',
    '(',
    ')',
    'a)',
    '[a',
    '*a',
    '+',
    'a{3,1}',
    'a{2000}',
    '\\',
    '\\q',
  ];
  for (const source of [...refused, '((a{900}){900})', '\\p{Nonsense}', 'a'.repeat(2000), '('.repeat(200)])
    assert.throws(
      () => compilePattern(source),
      (error) => error instanceof EngineError && error.code === 'invalid_input',
      source,
    );
});

test('a search stops when its time is over', () => {
  const pattern = compilePattern('z', { deadline: performance.now() - 1 });
  assert.throws(() => pattern.test('a'.repeat(100_000)), /too long/);
});

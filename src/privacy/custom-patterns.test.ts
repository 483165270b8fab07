import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCustomPatterns, replaceCustom } from './custom-patterns.ts';

test('patterns that are too short, match everything or are none are ignored, with a reason', () => {
  const { patterns, ignored } = readCustomPatterns([
    'abc',
    '.*',
    '.+',
    '.*?.*',
    '[\\s\\S]*',
    '(unclosed',
    7,
    { name: 'no pattern' },
    'ACME-\\d{4}',
    { pattern: 'proj-[a-z]+', name: 'project name!' },
  ]);
  assert.deepEqual(
    patterns.map(({ name }) => name),
    ['custom', 'project-name-'],
  );
  assert.equal(ignored.length, 8);
  for (const { why } of ignored) assert.match(why, /^it (?:is|has|matches) /);
});

test('what a pattern matches is replaced by its name', () => {
  const { patterns } = readCustomPatterns([{ pattern: 'ACME-\\d{4}', name: 'ticket' }]);
  assert.deepEqual(replaceCustom('See ACME-1234 and ACME-99999.', patterns), {
    text: 'See [redacted:ticket] and [redacted:ticket]9.',
    names: ['ticket'],
    isTooSlow: false,
  });
});

test('a pattern that would run for years is stopped, and nothing of the text is kept', () => {
  const { patterns } = readCustomPatterns(['(a+)+$', '(x|x)*y{2,}']);
  for (const text of [`${'a'.repeat(60)}!`, `${'x'.repeat(60)}z`]) {
    const { text: kept, isTooSlow } = replaceCustom(text, patterns);
    assert.deepEqual([kept, isTooSlow], ['', true]);
  }
});

test('a machine that is busy with something else loses no text: only time of the processor counts', () => {
  const { patterns } = readCustomPatterns([{ pattern: 'ACME-\\d{4}', name: 'ticket' }]);
  const [{ name, pattern }] = patterns as [(typeof patterns)[number]];
  const waiting = new Int32Array(new SharedArrayBuffer(4));
  const slow = Object.assign(new RegExp(pattern), {
    [Symbol.replace]: (text: string, by: () => string): string => {
      Atomics.wait(waiting, 0, 0, 120);
      return text.replace(new RegExp(pattern), by);
    },
  });
  const { text, isTooSlow } = replaceCustom('See ACME-1234.', [{ name, pattern: slow }]);
  assert.deepEqual([text, isTooSlow], ['See [redacted:ticket].', false]);
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Flag } from './command.ts';
import { readArguments, splitCommand } from './read-arguments.ts';
import { UsageError } from './report-error.ts';

const COMMAND = { name: 'store', maxWords: 2 };
const FLAGS: readonly Flag[] = [
  { name: 'type', short: 't', value: 'TYPE', description: '' },
  { name: 'tags', value: 'TAG', many: true, description: '' },
  { name: 'limit', value: 'N', description: '' },
  { name: 'mode', value: 'MODE', choices: ['text', 'exact'], description: '' },
  { name: 'db', value: 'FILE', description: '' },
  { name: 'json', description: '' },
];
const read = (...argv: string[]) => readArguments(argv, COMMAND, FLAGS);

function refuses(argv: string[], message: RegExp, hint?: RegExp): void {
  assert.throws(
    () => read(...argv),
    (error) =>
      error instanceof UsageError && message.test(error.message) && (hint === undefined || hint.test(error.hint ?? '')),
  );
}

describe('splitCommand', () => {
  test('finds the command behind global flags and their values', () => {
    assert.deepEqual(splitCommand(['--db', 'search', '--json', 'get', 'x', '--type', 'y'], FLAGS.slice(4)), {
      name: 'get',
      rest: ['--db', 'search', '--json', 'x', '--type', 'y'],
    });
  });

  test('finds none where there are only flags', () => {
    assert.equal(splitCommand(['--db=x', '--help'], FLAGS).name, undefined);
  });
});

describe('readArguments', () => {
  test('reads words, values, lists and switches in any order', () => {
    const args = read('hello', '--tags', 'a, b', '-t', 'note', '--tags=c', '--json', 'world');
    assert.deepEqual(args.words, ['hello', 'world']);
    assert.equal(args.text('type'), 'note');
    assert.deepEqual(args.list('tags'), ['a', 'b', 'c']);
    assert.equal(args.isOn('json'), true);
    assert.equal(args.text('db'), undefined);
  });

  test('takes everything after -- as words, and a lone dash as one', () => {
    assert.deepEqual(read('-', '--', '--json').words, ['-', '--json']);
  });

  test('names the nearest flag when one is unknown', () => {
    refuses(['--tgas', 'x'], /has no flag --tgas/, /Did you mean --tags\?/);
    refuses(['--zzzzzz'], /has no flag/, /ltm help store/);
  });

  test('does not take a following flag for a value', () => {
    refuses(['--type', '--json'], /needs a value, but "--json" follows/, /--type=--json/);
    assert.equal(read('--type=--json').text('type'), '--json');
    refuses(['--type'], /needs a value/);
  });

  test('refuses values for switches, repeated values, unknown choices and too many words', () => {
    refuses(['--json=yes'], /does not take a value/);
    refuses(['-t', 'a', '-t', 'b'], /given twice/);
    refuses(['--mode', 'exakt'], /must be one of text, exact/, /Did you mean exact/);
    refuses(['a', 'b', 'c'], /unexpected argument: "c"/);
  });

  test('checks numbers against their range', () => {
    assert.equal(read('--limit', '5').number('limit', { min: 1, max: 10 }), 5);
    for (const bad of ['0', '11', 'many', ' '])
      assert.throws(() => read(`--limit=${bad}`).number('limit', { min: 1, max: 10 }), UsageError);
  });
});

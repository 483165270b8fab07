import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../model/errors.ts';
import { choice, type Fields, flag, integer, text } from '../verbs/field.ts';
import { readArguments } from './read-arguments.ts';

const accepted: Fields = {
  query: text(undefined, { min: 2, max: 5 }),
  limit: integer(1, 100),
  boost: { type: 'number' },
  dry_run: flag(),
  tags: { type: 'tags' },
  metadata: { type: 'json' },
  mode: choice(['any', 'all']),
};

function refusal(raw: unknown): EngineError {
  try {
    readArguments(accepted, raw);
  } catch (error) {
    assert.ok(error instanceof EngineError);
    assert.equal(error.code, 'invalid_input');
    return error;
  }
  assert.fail('the arguments were accepted');
}

test('reads numbers, switches, lists and objects that came as text', () => {
  assert.deepEqual(
    readArguments(accepted, {
      limit: '10',
      boost: ' 0.5',
      dry_run: 'true',
      tags: 'a, two words,,b',
      metadata: '{"x":1}',
    }),
    {
      limit: 10,
      boost: 0.5,
      dry_run: true,
      tags: ['a', 'two words', 'b'],
      metadata: { x: 1 },
    },
  );
  assert.deepEqual(readArguments(accepted, { tags: '["a","b,c"]' }), { tags: ['a', 'b,c'] });
  assert.deepEqual(readArguments(accepted, { query: 2026, dry_run: 0 }), { query: '2026', dry_run: false });
});

test('takes null and, for anything but text, an empty text as absent', () => {
  assert.deepEqual(readArguments(accepted, { query: null, limit: '', tags: null, metadata: '', mode: null }), {});
  assert.deepEqual(readArguments(accepted, undefined), {});
});

test('refuses an unknown name and offers the nearest known one', () => {
  const error = refusal({ qurey: 'x' });
  assert.match(error.message, /"qurey"/);
  assert.equal(error.hint, 'Did you mean "query"?');
  assert.equal(refusal({ dryRun: true }).details.nearest, 'dry_run');
  assert.match(refusal({ zzz: 1 }).hint ?? '', /^Known arguments: query, limit/);
});

test('refuses names that every object has', () => {
  assert.match(refusal(JSON.parse('{"constructor":1}')).message, /"constructor"/);
  assert.match(refusal(JSON.parse('{"__proto__":{"limit":3}}')).message, /"__proto__"/);
  for (const metadata of ['{"__proto__":1}', '{"a":[{"__proto__":{}}]}'])
    for (const given of [metadata, JSON.parse(metadata)])
      assert.equal(refusal({ metadata: given }).message, 'metadata must not have the key "__proto__".');
});

test('names the field, the limit and the value of a wrong argument', () => {
  assert.deepEqual(refusal({ limit: 500 }).details, { field: 'limit', limit: 100, value: '500' });
  assert.match(refusal({ limit: 500 }).message, /^limit must be at most 100, not 500\.$/);
  assert.match(refusal({ limit: 2.5 }).message, /^limit must be a whole number, not 2\.5\.$/);
  assert.match(refusal({ limit: 'many' }).message, /^limit must be a number, not "many"\.$/);
  assert.match(refusal({ mode: 'some' }).message, /^mode must be one of any, all, not "some"\.$/);
  assert.match(refusal({ query: 'x' }).message, /^query must be at least 2 characters, not "x"\.$/);
  assert.match(refusal({ metadata: 'not json' }).message, /^metadata must be an object/);
});

test('what can be given in two ways is asked for in the first of them', () => {
  assert.match(refusal({ tags: true }).message, /^tags must be a list, not true\.$/);
  assert.equal(refusal({ tags: ['a', {}] }).details.field, 'tags.1');
});

test('does not repeat long text, which may be a memory', () => {
  assert.doesNotMatch(refusal({ query: 'secret '.repeat(20) }).message, /secret/);
});

test('refuses nesting that would exhaust the stack', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`) as unknown;
  assert.match(refusal({ metadata: deep }).message, /^metadata is nested more than 64 levels deep/);
});

test('says which argument is missing', () => {
  assert.throws(() => readArguments({ content: text(undefined, { isRequired: true }) }, {}), /content is required/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schemaOf } from './field-schema.ts';
import { CHANGED_MEMORY, NEW_MEMORY, toFilter } from './memory-input.ts';
import { readInput, writeInput } from './read-input.ts';

const takes = (fields: typeof NEW_MEMORY, sent: object): boolean => schemaOf(fields).safeParse(sent).success;

test('storing and updating take what the table of fields lets them', () => {
  const given = { content: 'x', conversation_id: 'c', host: 'h', valid_until: 'tomorrow', quality: 1 };
  assert.equal(takes(NEW_MEMORY, given), true);
  assert.equal(takes(NEW_MEMORY, { ...given, valid_until: null }), false);
  assert.equal(takes(NEW_MEMORY, { quality: 1 }), false);
  assert.equal(takes(CHANGED_MEMORY, { valid_until: null, project: null }), true);
  assert.equal(takes(CHANGED_MEMORY, { quality: null }), false);
  assert.equal(takes(CHANGED_MEMORY, { session: 's' }), false);
});

test('an input goes over the wire and comes back the same', () => {
  const input = { content: 'x', conversation: 'c', validUntil: Date.UTC(2030, 0, 1), metadata: { someKey: 1 } };
  const sent = writeInput(NEW_MEMORY, input);
  assert.deepEqual(sent, {
    content: 'x',
    conversation_id: 'c',
    valid_until: '2030-01-01T00:00:00.000Z',
    metadata: { someKey: 1 },
  });
  assert.deepEqual(readInput(NEW_MEMORY, sent), { ...input, validUntil: '2030-01-01T00:00:00.000Z' });
});

test('a filter holds what was asked for and nothing else', () => {
  assert.deepEqual(toFilter({}), {});
  assert.deepEqual(toFilter({ type: 'a, b', tags: 'X,y', kind: 'memory', tagMatch: 'all', project: 'p' }), {
    types: ['a', 'b'],
    tags: ['x', 'y'],
    kinds: ['memory'],
    tagMatch: 'all',
    project: 'p',
  });
});

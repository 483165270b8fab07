import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleContent } from '../../test/stores/contract/sample-records.ts';
import { toMemory } from '../features/memories/to-memory.ts';
import { COLUMN_FIELDS, MEMORY_FIELDS } from './memory-fields.ts';
import type { StoredRecord } from './record.ts';

const record: StoredRecord = {
  ...sampleContent({ body: { metadata: { a: 1 } } }),
  space: 'owner',
  id: '0'.repeat(20),
  revision: 1,
  generation: 1,
  dot: 'test:1',
  deletedAt: null,
};

test('every column of a record that all kinds have stands in the table of fields', () => {
  const { space: _space, kind: _kind, title: _title, body: _body, generation: _g, dot: _dot, ...shared } = record;
  assert.deepEqual([...COLUMN_FIELDS].sort(), Object.keys(shared).sort());
});

test('a memory shows the fields of the table, metadata taken from its body', () => {
  const { host: _host, ...shown } = MEMORY_FIELDS;
  const memory = toMemory(record);
  assert.deepEqual(Object.keys(memory), Object.keys(shown));
  assert.deepEqual(memory.metadata, { a: 1 });
  assert.deepEqual(toMemory({ ...record, body: {} }).metadata, {});
});

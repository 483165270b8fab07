import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Memory } from '../model/memory.ts';
import { toMemoryJson } from '../rest/memory-json.ts';
import { toJson } from './to-json.ts';

const MEMORY: Memory = {
  id: '01k00000000000000001',
  content: 'text',
  contentHash: 'ab',
  type: 'note',
  tags: ['a'],
  metadata: { camelCase: 1, createdAt: 5, nested: { keepMe: true } },
  key: null,
  project: 'web',
  agent: null,
  session: null,
  conversation: 'c1',
  source: { door: 'cli', userId: 'owner', client: 'x' },
  trust: 'user',
  quality: 0.5,
  revision: 2,
  createdAt: 1_700_000_000_000,
  updatedAt: 1_700_000_001_000,
  validFrom: null,
  validUntil: 1_800_000_000_000,
  supersededBy: null,
  deletedAt: null,
};

test('shows a memory exactly as REST does', () => {
  assert.deepEqual(toJson(MEMORY), toMemoryJson(MEMORY));
});

test('leaves the keys of metadata as the caller wrote them', () => {
  assert.deepEqual((toJson({ memory: MEMORY }) as { memory: { metadata: unknown } }).memory.metadata, MEMORY.metadata);
});

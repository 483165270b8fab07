import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call } from '../../../test/conformance/call.ts';
import { hitOf, MEMORY_ID, memoryOf, resultOf, stubEngine } from '../../../test/conformance/stub-engine.ts';

test('search and fetch answer with one block of JSON that mirrors the structured form', async () => {
  const engine = stubEngine({
    search: async () => resultOf([hitOf()]),
    getMemories: async () => ({ memories: [memoryOf({ content: 'Title\nbody' })], missing: [] }),
  });
  const found = await call('search', { query: 'deploy' }, engine);
  assert.deepEqual(JSON.parse(found.text), found.structured);
  assert.deepEqual(found.structured.results, [
    {
      id: MEMORY_ID,
      title: 'The deploy key lives in the vault.',
      url: `memory://record/${MEMORY_ID}`,
      trust: 'agent',
      source: 'mcp probe/1',
    },
  ]);
  const fetched = await call('fetch', { id: MEMORY_ID }, engine);
  assert.deepEqual(JSON.parse(fetched.text), fetched.structured);
  assert.equal(fetched.structured.title, 'Title');
  assert.equal(fetched.structured.text, 'Title\nbody');
  const missing = await call(
    'fetch',
    { id: 'nope' },
    stubEngine({ getMemories: async () => ({ memories: [], missing: ['nope'] }) }),
  );
  assert.equal(missing.structured.error?.code, 'not_found');
});

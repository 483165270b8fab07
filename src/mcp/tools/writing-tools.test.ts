import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSameInBoth, call } from '../../../test/conformance/call.ts';
import { MEMORY_ID, memoryOf, stubEngine } from '../../../test/conformance/stub-engine.ts';

test('a stored memory is reported with id, hash, what it resembles and what to do about it', async () => {
  const resembles = [{ id: '01k9x2m4p6q8r0s2t4v7', similarity: 0.91, title: 'Deploy keys: "vault"' }];
  const engine = stubEngine({
    storeMemory: async () => ({
      outcome: 'stored',
      memory: memoryOf(),
      resembles,
      supersedes: [],
      chunks: [],
      warnings: ['The type "foo" is unknown.'],
      searchableBy: 'text',
    }),
  });
  const { structured, text } = await call('memory_store', { content: 'x' }, engine);
  assert.equal(structured.outcome, 'stored');
  assert.equal(structured.id, MEMORY_ID);
  assert.match(String(structured.content_hash), /^[0-9a-f]{64}$/);
  assert.deepEqual(structured.resembles, resembles);
  assert.match(String(structured.message), /resembles.*delete that one/);
  assert.match(text, /- The type "foo" is unknown\./);
  assertSameInBoth(text, structured);
});

for (const [outcome, pattern] of [
  ['duplicate', /Not stored again: memory 01k9x2m4p6q8r0s2t4v6 holds this text/],
  ['updated', /The key was in use/],
  ['merged', /has taken the new text in/],
] as const) {
  test(`an outcome "${outcome}" names the memory that is there`, async () => {
    const engine = stubEngine({
      storeMemory: async () => ({ outcome, memory: memoryOf(), resembles: [], warnings: [], searchableBy: 'text' }),
    });
    const { structured, text } = await call('memory_store', { content: 'x' }, engine);
    assert.equal(structured.outcome, outcome);
    assert.match(text, pattern);
  });
}

test('a refused duplicate names what it repeats', async () => {
  const resembles = [{ id: MEMORY_ID, similarity: 1, title: 'same' }];
  const { structured } = await call(
    'memory_store',
    { content: 'x' },
    stubEngine({ storeMemory: async () => ({ outcome: 'refused', resembles, warnings: [], searchableBy: 'text' }) }),
  );
  assert.deepEqual(structured.resembles, resembles);
});

test('memory_store understands the arguments of mcp-memory-service', async () => {
  let input: unknown;
  const engine = stubEngine({
    storeMemory: async (_, given) => {
      input = given;
      return { outcome: 'duplicate', memory: memoryOf(), warnings: [], searchableBy: 'text' };
    },
  });
  const { structured } = await call(
    'memory_store',
    {
      content: 'x',
      conversation_id: 'c1',
      agent_id: 'a1',
      client_hostname: 'h1',
      store: 'work',
      metadata: { tags: 'a,b', type: 'decision', source: 'chat' },
    },
    engine,
  );
  assert.deepEqual(input, {
    content: 'x',
    conversation: 'c1',
    agent: 'a1',
    host: 'h1',
    type: 'decision',
    tags: ['a', 'b'],
    metadata: { source: 'chat' },
  });
  assert.match(JSON.stringify(structured.warnings), /store is not used/);
});

test('restore_deleted brings back the deleted memory with the same text', async () => {
  const engine = stubEngine({
    getMemories: async () => ({ memories: [], missing: ['h'] }),
    restoreMemories: async (_, refs) => ({ restored: refs[0]?.length === 64 ? [memoryOf()] : [], missing: [] }),
  });
  assert.equal(
    (await call('memory_store', { content: 'x', restore_deleted: true }, engine)).structured.outcome,
    'restored',
  );
});

test('memory_update takes flat fields and the updates object of mcp-memory-service', async () => {
  const inputs: unknown[] = [];
  const engine = stubEngine({
    updateMemory: async (_, given) => {
      inputs.push(given);
      return { outcome: 'updated', memory: memoryOf(), changed: ['tags'], previous: null, warnings: [] };
    },
  });
  await call(
    'memory_update',
    { id: MEMORY_ID, tags: [], project: '', versioned: true, content: 'new', reason: null },
    engine,
  );
  assert.deepEqual(inputs[0], { ref: MEMORY_ID, content: 'new', tags: [], project: null, versioned: true });
  const updates = { tags: 'a,b', memory_type: 'decision', metadata: { x: 1 }, priority: 'high', content_hash: 'no' };
  const { structured } = await call(
    'memory_update',
    { content_hash: 'a'.repeat(64), updates, preserve_timestamps: false },
    engine,
  );
  assert.deepEqual(inputs[1], {
    ref: 'a'.repeat(64),
    type: 'decision',
    tags: ['a', 'b'],
    metadata: { priority: 'high', x: 1 },
    preserveTimestamps: false,
  });
  assert.match(JSON.stringify(structured.warnings), /content_hash/);
});

test('memory_delete deletes by id or by filter, and nothing without either', async () => {
  const inputs: unknown[] = [];
  const engine = stubEngine({
    deleteMemories: async (_, given) => {
      inputs.push(given);
      return {
        outcome: given.dryRun === true ? 'would_delete' : 'deleted',
        memories: [memoryOf()],
        count: 3,
        missing: [],
      };
    },
  });
  assert.match((await call('memory_delete', { content_hash: 'abc', tags: ['x'] }, engine)).text, /not used: tags/);
  assert.deepEqual(inputs[0], { refs: ['abc'] });
  assert.match(
    (await call('memory_delete', { tags: 'x', before: '2026-01-01', dry_run: true }, engine)).text,
    /^Would delete 3; nothing was changed\. The first 1 are shown/,
  );
  assert.deepEqual(inputs[1], { filter: { tags: ['x'] }, before: '2026-01-01', dryRun: true });
  const refused = await call('memory_delete', { tag_match: 'all', tags: [] }, engine);
  assert.equal(refused.structured.error?.code, 'invalid_input');
  assert.equal(inputs.length, 2);
});

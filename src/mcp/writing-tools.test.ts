import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asGiven, assertSameInBoth, call } from '../../test/conformance/call.ts';
import { MEMORY_ID, memoryOf, stubEngine } from '../../test/conformance/stub-engine.ts';

test('a stored memory is reported with id, hash, what it resembles and what to do about it', async () => {
  const near = { id: '01k9x2m4p6q8r0s2t4v7', similarity: 0.91, title: 'Deploy keys: "vault"' };
  const resembles = [{ ...near, trust: 'untrusted', source: { door: 'rest', userId: 'bob' } }] as const;
  const engine = stubEngine({
    storeMemory: async () => ({
      outcome: 'stored',
      memory: memoryOf(),
      resembles: [...resembles],
      supersedes: [],
      chunks: [],
      warnings: ['The type "foo" is unknown.'],
      searchableBy: 'text',
      redactions: [],
    }),
  });
  const { structured, text } = await call('memory_store', { content: 'x' }, engine);
  assert.equal(structured.outcome, 'stored');
  assert.equal(structured.id, MEMORY_ID);
  assert.match(String(structured.content_hash), /^[0-9a-f]{64}$/);
  assert.deepEqual(structured.resembles, [{ ...near, trust: 'untrusted', source: 'rest by bob' }]);
  assert.match(JSON.stringify(structured.notices), /trust: untrusted came from outside/);
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
      storeMemory: async () => ({
        outcome,
        memory: memoryOf(),
        resembles: [],
        warnings: [],
        searchableBy: 'text',
        redactions: [],
      }),
    });
    const { structured, text } = await call('memory_store', { content: 'x' }, engine);
    assert.equal(structured.outcome, outcome);
    assert.match(text, pattern);
  });
}

test('a refused duplicate names what it repeats', async () => {
  const near = { id: MEMORY_ID, similarity: 1, title: 'same', trust: 'agent' } as const;
  const { structured } = await call(
    'memory_store',
    { content: 'x' },
    stubEngine({
      storeMemory: async () => ({
        outcome: 'refused',
        resembles: [{ ...near, source: { door: 'mcp', userId: 'ada' } }],
        warnings: [],
        searchableBy: 'text',
        redactions: [],
      }),
    }),
  );
  assert.deepEqual(structured.resembles, [{ ...near, source: 'mcp' }]);
});

test('memory_update changes what is named, and empty text clears a project', async () => {
  const inputs: unknown[] = [];
  const engine = stubEngine({
    updateMemory: async (_, given) => {
      inputs.push(given);
      return {
        outcome: 'updated',
        memory: memoryOf(),
        changed: ['tags'],
        previous: null,
        warnings: [],
        redactions: [],
      };
    },
  });
  await call(
    'memory_update',
    { id: MEMORY_ID, tags: [], project: '', versioned: true, content: 'new', reason: null },
    engine,
  );
  assert.deepEqual(asGiven(inputs[0]), { ref: MEMORY_ID, content: 'new', tags: [], project: null, versioned: true });
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
  await call('memory_delete', { content_hash: 'abc' }, engine);
  assert.deepEqual(asGiven(inputs[0]), { refs: ['abc'] });
  assert.match(
    (await call('memory_delete', { tags: 'x', before: '2026-01-01', dry_run: true }, engine)).text,
    /^Would delete 3; nothing was changed\. The first 1 are shown/,
  );
  assert.deepEqual(asGiven(inputs[1]), {
    filter: { kinds: ['memory', 'section'], tags: ['x'] },
    before: '2026-01-01',
    dryRun: true,
  });
  const refused = await call('memory_delete', { tag_match: 'all', tags: [] }, engine);
  assert.equal(refused.structured.error?.code, 'invalid_input');
  assert.equal(inputs.length, 2);
});

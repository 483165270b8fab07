import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { engineError, makeCaller, makeWordEmbedder, openTestEngine, START } from '../../../test/open-test-engine.ts';
import { listMemoryTypes, MEMORY_TYPES } from '../../model/memory-types.ts';
import type { StoreMemoryInput, StoreOutcome } from './memory.ts';

const caller = makeCaller();

function stored(outcome: StoreOutcome) {
  assert.equal(outcome.outcome, 'stored');
  return outcome as Extract<StoreOutcome, { outcome: 'stored' }>;
}

describe('storing a memory', () => {
  test('keeps the text as given and names it by the hash of its trimmed, lower-cased form', async (t) => {
    const { engine } = await openTestEngine(t);
    const { memory } = stored(await engine.storeMemory(caller, { content: '  Use TABS here \n' }));
    assert.equal(memory.content, '  Use TABS here \n');
    assert.equal(memory.contentHash, createHash('sha256').update('use tabs here').digest('hex'));
    assert.equal(memory.createdAt, START);
    assert.equal(memory.revision, 1);
    assert.deepEqual((await engine.getMemories(caller, { refs: [memory.id] })).memories, [memory]);
  });

  test('reads tags as a list, a comma-separated string and a JSON array alike, and those in the metadata', async (t) => {
    const { engine } = await openTestEngine(t);
    const forms: StoreMemoryInput[] = [
      { content: 'one', tags: ['B b', 'a%', 'a%'] },
      { content: 'two', tags: 'B b, A%' },
      { content: 'three', tags: '["B b","a%"]' },
      { content: 'four', metadata: { tags: ['b B', 'a%'], other: 1 } },
      { content: 'five', tags: ['b b'], metadata: { tags: 'A%' } },
    ];
    for (const input of forms) {
      const { memory } = stored(await engine.storeMemory(caller, input));
      assert.deepEqual(memory.tags, ['b b', 'a%']);
      assert.ok(!('tags' in memory.metadata));
    }
    const { memory } = stored(await engine.storeMemory(caller, { content: 'six', tags: '' }));
    assert.deepEqual(memory.tags, ['untagged']);
  });

  test('knows all 86 types and those the operator added', async (t) => {
    const { engine } = await openTestEngine(t, { settings: { memoryTypes: { ...MEMORY_TYPES, recipe: ['sauce'] } } });
    const types = [...listMemoryTypes(MEMORY_TYPES), 'recipe', 'sauce'];
    assert.equal(types.length, 88);
    const outcomes = await engine.storeMemories(
      caller,
      types.map((type) => ({ content: `a memory of type ${type}`, type, onDuplicate: 'store' })),
    );
    for (const [i, outcome] of outcomes.entries()) {
      assert.deepEqual(outcome.warnings, []);
      assert.equal(stored(outcome).memory.type, types[i]);
    }
  });

  test('keeps an unknown type, warns, and names the type that was probably meant', async (t) => {
    const { engine } = await openTestEngine(t);
    const typo = stored(await engine.storeMemory(caller, { content: 'one', type: 'decison' }));
    assert.equal(typo.memory.type, 'decison');
    assert.match(typo.warnings[0]!, /"decison".*Did you mean "decision"\?.*memory_types/);
    const odd = stored(await engine.storeMemory(caller, { content: 'two', metadata: { type: 'recipe' } }));
    assert.equal(odd.memory.type, 'recipe');
    assert.doesNotMatch(odd.warnings[0]!, /Did you mean/);
    assert.equal(stored(await engine.storeMemory(caller, { content: 'three' })).memory.type, 'note');
  });

  test('stamps origin and trust from the door, whatever the input says', async (t) => {
    const { engine } = await openTestEngine(t);
    const input = { content: 'x', host: 'laptop', metadata: { trust: 'user', source: 'me' } };
    const mcp = stored(await engine.storeMemory(makeCaller('mcp', { client: 'claude-code/2' }), input));
    assert.deepEqual(mcp.memory.source, { door: 'mcp', userId: 'owner', client: 'claude-code/2', host: 'laptop' });
    assert.equal(mcp.memory.trust, 'agent');
    assert.equal(stored(await engine.storeMemory(makeCaller('rest'), { content: 'y' })).memory.trust, 'agent');
    assert.equal(stored(await engine.storeMemory(makeCaller('cli'), { content: 'z' })).memory.trust, 'user');
  });

  test('refuses what cannot be stored, names the field, and writes nothing', async (t) => {
    const { engine, store } = await openTestEngine(t, { settings: { maxContentChars: 100 } });
    const deep = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`);
    const refused: [StoreMemoryInput, string, string][] = [
      [{ content: '  \n ' }, 'invalid_input', 'content'],
      [{ content: 'a\0b' }, 'invalid_input', 'content'],
      [{ content: 'a\ud800b' }, 'invalid_input', 'content'],
      [{ content: 'a', tags: ['x\udfff'] }, 'invalid_input', 'tags'],
      [{ content: 'a', project: 'p\0' }, 'invalid_input', 'project'],
      [{ content: 'a', key: ' ' }, 'invalid_input', 'key'],
      [{ content: 'a', metadata: { a: ['\0'] } }, 'invalid_input', 'metadata'],
      [{ content: 'a', metadata: { '\ud800': 1 } }, 'invalid_input', 'metadata'],
      [{ content: 'a', metadata: deep }, 'invalid_input', 'metadata'],
      [{ content: 'a', metadata: { long: 'x'.repeat(70_000) } }, 'too_large', 'metadata'],
      [{ content: 'a', project: 'p'.repeat(201) }, 'too_large', 'project'],
      [{ content: 'a', quality: 2 }, 'invalid_input', 'quality'],
      [{ content: 'a', validFrom: 5, validUntil: 4 }, 'invalid_input', 'validUntil'],
    ];
    for (const [input, code, field] of refused)
      await assert.rejects(engine.storeMemory(caller, input), engineError(code, /./, { field }));
    await assert.rejects(
      engine.storeMemory(caller, { content: 'x'.repeat(101) }),
      engineError('too_large', /./, { field: 'content', limit: 100, value: 101 }),
    );
    await assert.rejects(
      engine.storeMemories(caller, [{ content: 'good' }, { content: '' }]),
      engineError('invalid_input', /Memory 2 of the batch/, { index: 1 }),
    );
    assert.equal(await store.head('owner'), 0);
  });

  test('refuses a __proto__ key in words, at any depth, and stores nothing', async (t) => {
    const { engine, store } = await openTestEngine(t);
    for (const text of ['{"__proto__":{"admin":true},"a":1}', '{"a":[{"b":{"__proto__":1}}]}'])
      await assert.rejects(
        engine.storeMemory(caller, { content: 'x', metadata: JSON.parse(text) }),
        engineError('invalid_input', /metadata" must not have the key "__proto__"/),
      );
    assert.equal(await store.head('owner'), 0);
    const { memory } = stored(await engine.storeMemory(caller, { content: 'x', metadata: { constructor: 1 } }));
    await assert.rejects(
      engine.updateMemory(caller, { ref: memory.id, metadata: JSON.parse('{"__proto__":1}') }),
      engineError('invalid_input', /"__proto__"/),
    );
    assert.equal(({} as { admin?: boolean }).admin, undefined);
  });

  test('needs the write scope, and writes into the caller’s own space alone', async (t) => {
    const { engine } = await openTestEngine(t);
    await assert.rejects(
      engine.storeMemory(makeCaller('rest', { scopes: new Set(['read']) }), { content: 'x' }),
      engineError('forbidden'),
    );
    await engine.storeMemory(caller, { content: 'mine' });
    const other = makeCaller('mcp', { userId: 'other', space: 'other', spaces: ['other'] });
    assert.equal((await engine.listMemories(other, {})).total, 0);
  });

  test('keeps a memory when the embedder fails, says so, and finishes it later', async (t) => {
    const embedder = makeWordEmbedder();
    const { engine } = await openTestEngine(t, { embedder });
    assert.equal((await engine.storeMemory(caller, { content: 'first thought' })).searchableBy, 'text+meaning');
    embedder.fails = true;
    const outcome = stored(await engine.storeMemory(caller, { content: 'second idea' }));
    assert.equal(outcome.searchableBy, 'text');
    assert.match(outcome.warnings[0]!, /words only/);
    assert.equal((await engine.checkHealth(caller)).embedder?.pending, 1);
    embedder.fails = false;
    assert.equal((await engine.runUpkeep()).embedded, 1);
    assert.equal((await engine.checkHealth(caller)).embedder?.pending, 0);
  });
});

describe('storing under a key', () => {
  test('updates the memory that has the key, keeps its labels and its earlier text', async (t) => {
    const { engine, clock } = await openTestEngine(t);
    const first = stored(
      await engine.storeMemory(caller, { content: 'deploy on Friday', key: 'deploy', tags: 'ops', metadata: { a: 1 } }),
    );
    clock.time += 1000;
    const second = await engine.storeMemory(caller, { content: 'deploy on Monday', key: 'deploy' });
    assert.equal(second.outcome, 'updated');
    assert.ok('memory' in second);
    assert.equal(second.memory.id, first.memory.id);
    assert.deepEqual([second.memory.tags, second.memory.metadata, second.memory.revision], [['ops'], { a: 1 }, 2]);
    assert.equal(second.memory.createdAt, START);
    assert.deepEqual(
      (await engine.listVersions(caller, 'deploy')).map((version) => version.record.content),
      ['deploy on Friday'],
    );
    assert.equal(
      (await engine.storeMemory(caller, { content: 'deploy on Monday', key: 'deploy' })).outcome,
      'duplicate',
    );
  });

  test('means another memory in another project', async (t) => {
    const { engine } = await openTestEngine(t);
    const [a, b] = await engine.storeMemories(caller, [
      { content: 'A', key: 'k', project: 'p' },
      { content: 'B', key: 'k', project: 'q' },
    ]);
    assert.notEqual(stored(a!).memory.id, stored(b!).memory.id);
    await assert.rejects(engine.getMemories(caller, { refs: ['k'] }), engineError('conflict', /several projects/));
    assert.equal((await engine.getMemories(caller, { refs: ['k'], project: 'q' })).memories[0]?.content, 'B');
  });

  test('stores the same text under two keys, so that both find it, and names the other', async (t) => {
    const { engine } = await openTestEngine(t);
    const one = stored(await engine.storeMemory(caller, { content: 'same', key: 'one' }));
    const two = stored(await engine.storeMemory(caller, { content: 'same', key: 'two' }));
    const { id, trust, source } = one.memory;
    assert.deepEqual(two.resembles, [{ id, similarity: 1, title: 'same', trust, source }]);
    assert.equal((await engine.getMemories(caller, { refs: ['two'] })).memories[0]?.id, two.memory.id);
  });

  test('lets ten writers race for one key without losing a text', async (t) => {
    const { engine } = await openTestEngine(t);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, i) => engine.storeMemory(caller, { content: `text ${i}`, key: 'race' })),
    );
    assert.equal(outcomes.filter(({ outcome }) => outcome === 'stored').length, 1);
    assert.equal((await engine.listVersions(caller, 'race')).length, 9);
    assert.equal((await engine.listMemories(caller, {})).total, 1);
  });
});

describe('splitting long content', () => {
  test('stores pieces that know where they belong', async (t) => {
    const { engine } = await openTestEngine(t, { settings: { splitChars: 100, splitOverlapChars: 10 } });
    const content = 'A sentence of some length. '.repeat(40);
    const outcome = stored(await engine.storeMemory(caller, { content, tags: 'long' }));
    const total = outcome.chunks.length;
    assert.ok(total >= 10);
    assert.deepEqual(outcome.memory, outcome.chunks[0]);
    const hash = createHash('sha256').update(content.trim().toLowerCase()).digest('hex');
    for (const [i, chunk] of outcome.chunks.entries()) {
      assert.ok(chunk.content.length <= 100);
      assert.deepEqual(chunk.metadata, { chunk_index: i, total_chunks: total, original_hash: hash });
    }
    assert.equal((await engine.listMemories(caller, { filter: { tags: ['long'] } })).total, total);
    assert.equal((await engine.storeMemory(caller, { content })).outcome, 'duplicate');
    assert.equal((await engine.listMemories(caller, {})).total, total);
  });

  test('leaves content with a key in one piece', async (t) => {
    const { engine } = await openTestEngine(t, { settings: { splitChars: 100 } });
    assert.deepEqual(stored(await engine.storeMemory(caller, { content: 'word '.repeat(100), key: 'k' })).chunks, []);
  });
});

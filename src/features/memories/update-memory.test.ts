import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engineError, makeCaller, makeWordEmbedder, openTestEngine, START } from '../../../test/open-test-engine.ts';
import type { Engine } from '../../engine/engine.ts';
import type { StoreMemoryInput } from './memory.ts';

const caller = makeCaller();

async function add(engine: Engine, input: StoreMemoryInput) {
  const outcome = await engine.storeMemory(caller, input);
  assert.equal(outcome.outcome, 'stored');
  return outcome.memory;
}

describe('updating a memory', () => {
  test('replaces tags, merges metadata, removes what is null, and leaves protected keys alone', async (t) => {
    const { engine } = await openTestEngine(t);
    const { id, contentHash } = await add(engine, { content: 'x', tags: 'a,b', metadata: { keep: 1, drop: 2 } });
    const metadata = {
      drop: null,
      add: 3,
      content: 'evil',
      tags: 'evil',
      created_at: 1,
      memory_type: 'evil',
      embedding: [1],
    };
    const updated = await engine.updateMemory(caller, { ref: contentHash.toUpperCase(), tags: ['C'], metadata });
    assert.equal(updated.outcome, 'updated');
    assert.deepEqual(updated.changed, ['tags', 'metadata']);
    assert.match(updated.warnings[0]!, /content, tags, created_at, memory_type, embedding/);
    const [memory] = (await engine.getMemories(caller, { refs: [id] })).memories;
    assert.deepEqual([memory!.tags, memory!.metadata, memory!.content], [['c'], { keep: 1, add: 3 }, 'x']);
    assert.deepEqual(memory, updated.memory);
  });

  test('moves updatedAt for what a reader sees, not for metadata alone', async (t) => {
    const { engine, clock } = await openTestEngine(t);
    const { id } = await add(engine, { content: 'x' });
    clock.time += 1000;
    assert.equal((await engine.updateMemory(caller, { ref: id, metadata: { a: 1 } })).memory.updatedAt, START);
    assert.equal((await engine.updateMemory(caller, { ref: id, tags: 'new' })).memory.updatedAt, START + 1000);
    clock.time += 1000;
    assert.equal((await engine.updateMemory(caller, { ref: id, type: 'decision' })).memory.updatedAt, START + 2000);
    clock.time += 1000;
    assert.equal(
      (await engine.updateMemory(caller, { ref: id, metadata: { a: 2 }, preserveTimestamps: false })).memory.updatedAt,
      START + 3000,
    );
  });

  test('sets createdAt only when timestamps need not be preserved, and says so', async (t) => {
    const { engine } = await openTestEngine(t);
    const { id } = await add(engine, { content: 'x' });
    const left = await engine.updateMemory(caller, { ref: id, createdAt: 5 });
    assert.deepEqual([left.outcome, left.memory.createdAt], ['unchanged', START]);
    assert.match(left.warnings[0]!, /createdAt was ignored/);
    assert.equal(
      (await engine.updateMemory(caller, { ref: id, createdAt: 5, preserveTimestamps: false })).memory.createdAt,
      5,
    );
  });

  test('writes nothing when nothing changes', async (t) => {
    const { engine, store } = await openTestEngine(t);
    const { id } = await add(engine, { content: 'x', tags: 'a', metadata: { a: 1 } });
    const head = await store.head('owner');
    const outcome = await engine.updateMemory(caller, {
      ref: id,
      content: 'x',
      tags: 'A',
      metadata: { a: 1, gone: null },
    });
    assert.deepEqual([outcome.outcome, outcome.changed], ['unchanged', []]);
    assert.equal(await store.head('owner'), head);
  });

  test('keeps an unknown type with a warning', async (t) => {
    const { engine } = await openTestEngine(t);
    const { id } = await add(engine, { content: 'x' });
    const outcome = await engine.updateMemory(caller, { ref: id, type: 'invented' });
    assert.equal(outcome.memory.type, 'invented');
    assert.match(outcome.warnings[0]!, /"invented"/);
  });

  test('makes new text findable, old text not, and keeps the old as a version with its reason', async (t) => {
    const embedder = makeWordEmbedder();
    const { engine } = await openTestEngine(t, { embedder });
    const { id } = await add(engine, { content: 'The pelican is the mascot.' });
    await engine.updateMemory(caller, { ref: id, content: 'The walrus is the mascot.', reason: 'voted again' });
    assert.deepEqual(
      (await engine.search(caller, { query: 'walrus', mode: 'text' })).hits.map((hit) => hit.id),
      [id],
    );
    assert.deepEqual((await engine.search(caller, { query: 'pelican', mode: 'text' })).hits, []);
    const [version] = await engine.listVersions(caller, id);
    assert.deepEqual([version?.record.content, version?.reason], ['The pelican is the mascot.', 'voted again']);
  });

  test('makes no new vectors for a change of labels', async (t) => {
    const embedder = makeWordEmbedder();
    const { engine } = await openTestEngine(t, { embedder });
    const { id } = await add(engine, { content: 'x' });
    await engine.updateMemory(caller, { ref: id, tags: 'new' });
    assert.equal(embedder.embedded, 1);
    assert.equal((await engine.checkHealth(caller)).embedder?.pending, 0);
  });

  test('lowers the trust of a text that an agent rewrote, and keeps that of one it only labelled', async (t) => {
    const { engine } = await openTestEngine(t);
    const outcome = await engine.storeMemory(makeCaller('cli'), { content: 'mine' });
    assert.ok('memory' in outcome);
    assert.equal((await engine.updateMemory(caller, { ref: outcome.memory.id, tags: 'x' })).memory.trust, 'user');
    assert.equal(
      (await engine.updateMemory(caller, { ref: outcome.memory.id, content: 'changed' })).memory.trust,
      'agent',
    );
  });

  test('refuses a text that another memory has, and names that one', async (t) => {
    const { engine } = await openTestEngine(t);
    const first = await add(engine, { content: 'first' });
    const second = await add(engine, { content: 'second' });
    await assert.rejects(
      engine.updateMemory(caller, { ref: second.id, content: 'FIRST' }),
      engineError('conflict', /exactly this text/, { other: first.id }),
    );
    assert.equal((await engine.getMemories(caller, { refs: [second.id] })).memories[0]?.content, 'second');
  });

  test('refuses when the memory has moved on since the revision that the caller saw', async (t) => {
    const { engine } = await openTestEngine(t);
    const { id } = await add(engine, { content: 'x' });
    await engine.updateMemory(caller, { ref: id, tags: 'a', revision: 1 });
    await assert.rejects(
      engine.updateMemory(caller, { ref: id, tags: 'b', revision: 1 }),
      engineError('conflict', /revision 2/, { actual: 2 }),
    );
  });

  test('keeps every one of ten concurrent updates', async (t) => {
    const { engine } = await openTestEngine(t);
    const { id } = await add(engine, { content: 'x' });
    await Promise.all(
      Array.from({ length: 8 }, (_, i) => engine.updateMemory(caller, { ref: id, metadata: { [`k${i}`]: i } })),
    );
    const [memory] = (await engine.getMemories(caller, { refs: [id] })).memories;
    assert.equal(Object.keys(memory!.metadata).length, 8);
  });

  test('does not find what is missing, deleted or foreign', async (t) => {
    const { engine } = await openTestEngine(t);
    const { id } = await add(engine, { content: 'x' });
    const stranger = makeCaller('mcp', { userId: 'b', space: 'b', spaces: ['b'] });
    const foreign = await engine.updateMemory(stranger, { ref: id, tags: 'a' }).catch((error: Error) => error);
    const missing = await engine
      .updateMemory(stranger, { ref: `${id.slice(0, -1)}0`, tags: 'a' })
      .catch((error: Error) => error);
    assert.ok(foreign instanceof Error && missing instanceof Error);
    assert.equal(foreign.message, missing.message);
    await engine.deleteMemories(caller, { refs: [id] });
    await assert.rejects(engine.updateMemory(caller, { ref: id, tags: 'a' }), engineError('not_found'));
  });
});

describe('a versioned update', () => {
  test('puts a new memory in front of the old one, which stays readable', async (t) => {
    const { engine, store, clock } = await openTestEngine(t);
    const old = await add(engine, {
      content: 'The port is 8000.',
      key: 'port',
      tags: 'config',
      type: 'decision',
      metadata: { a: 1 },
      project: 'p',
    });
    clock.time += 1000;
    const outcome = await engine.updateMemory(caller, {
      ref: old.id,
      content: 'The port is 9000.',
      versioned: true,
      reason: 'taken',
    });
    assert.deepEqual([outcome.outcome, outcome.previous], ['versioned', old.id]);
    const { id, tags, type, metadata, key, project, createdAt } = outcome.memory;
    assert.notEqual(id, old.id);
    assert.deepEqual(
      { tags, type, metadata, key, project, createdAt },
      { tags: ['config'], type: 'decision', metadata: { a: 1 }, key: 'port', project: 'p', createdAt: clock.time },
    );
    const hits = async (includeSuperseded: boolean) =>
      (await engine.search(caller, { query: 'port', filter: { includeSuperseded } })).hits.map((hit) => hit.id).sort();
    assert.deepEqual(await hits(false), [id]);
    assert.deepEqual(await hits(true), [old.id, id].sort());
    const [before] = (await engine.getMemories(caller, { refs: [old.id] })).memories;
    assert.deepEqual([before?.content, before?.supersededBy], ['The port is 8000.', id]);
    assert.equal((await engine.getMemories(caller, { refs: ['port'], project: 'p' })).memories[0]?.id, id);
    assert.equal((await engine.listVersions(caller, old.id))[0]?.reason, 'taken');
    assert.deepEqual(
      (await store.listRelations('owner', [id])).map(({ from, to, type: kind }) => [from, to, kind]),
      [[id, old.id, 'supersedes']],
    );
  });

  test('needs new content, and a memory that is still the current one', async (t) => {
    const { engine } = await openTestEngine(t);
    const { id } = await add(engine, { content: 'one' });
    await assert.rejects(
      engine.updateMemory(caller, { ref: id, versioned: true, tags: 'a' }),
      engineError('invalid_input', /content/),
    );
    const { memory } = await engine.updateMemory(caller, { ref: id, versioned: true, content: 'two' });
    await assert.rejects(
      engine.updateMemory(caller, { ref: id, versioned: true, content: 'three' }),
      engineError('conflict', /newer version/, { supersededBy: memory.id }),
    );
  });
});

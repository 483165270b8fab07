import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY, engineError, MINUTE, makeCaller, openTestEngine, START } from '../../../test/open-test-engine.ts';
import type { Engine } from '../../engine/engine.ts';
import type { StoreMemoryInput } from './memory.ts';

const caller = makeCaller();

async function add(engine: Engine, input: StoreMemoryInput, by = caller) {
  const outcome = await engine.storeMemory(by, { onDuplicate: 'store', ...input });
  assert.ok('memory' in outcome);
  return outcome.memory;
}

describe('getting memories', () => {
  test('finds by id, by hash in any case and by key, and names what is missing', async (t) => {
    const { engine } = await openTestEngine(t);
    const a = await add(engine, { content: 'a' });
    const b = await add(engine, { content: 'b' });
    const c = await add(engine, { content: 'c', key: 'the c' });
    const missing = ['nothing', 'f'.repeat(64)];
    const got = await engine.getMemories(caller, {
      refs: [a.id, b.contentHash.toUpperCase(), 'the c', ...missing, a.contentHash],
    });
    assert.deepEqual(
      got.memories.map(({ id }) => id),
      [a.id, b.id, c.id],
    );
    assert.deepEqual(got.missing, missing);
  });

  test('takes the beginning of an id for it, at every verb, as long as it is the only one that begins so', async (t) => {
    const { engine, clock } = await openTestEngine(t);
    const memory = await add(engine, { content: 'a' });
    clock.run(MINUTE);
    await add(engine, { content: 'of another minute' });
    const beginning = memory.id.slice(0, 10);
    assert.equal((await engine.getMemories(caller, { refs: [beginning] })).memories[0]?.id, memory.id);
    const updated = await engine.updateMemory(caller, { ref: beginning, content: 'changed' });
    assert.ok('memory' in updated && updated.memory.id === memory.id);
    await engine.deleteMemories(caller, { refs: [beginning] });
    assert.deepEqual((await engine.getMemories(caller, { refs: [beginning] })).missing, [beginning]);
    assert.equal((await engine.restoreMemories(caller, [beginning])).restored[0]?.id, memory.id);
    assert.deepEqual((await engine.getMemories(caller, { refs: [memory.id.slice(0, 7)] })).memories, []);
  });

  test('names those that begin alike, and changes none of them', async (t) => {
    const { engine } = await openTestEngine(t);
    const made = [await add(engine, { content: 'a' }), await add(engine, { content: 'b' })];
    const beginning = made[0]!.id.slice(0, 10);
    assert.equal(made[1]!.id.slice(0, 10), beginning);
    const deleting = engine.deleteMemories(caller, { refs: [beginning] });
    await assert.rejects(deleting, (error: Error) => {
      assert.ok(engineError('conflict')(error));
      assert.equal(error.message, `2 ids begin with ${beginning}: ${made[0]!.id}, ${made[1]!.id}.`);
      return true;
    });
    assert.equal((await engine.getMemories(caller, { refs: made.map(({ id }) => id) })).memories.length, 2);
    await engine.deleteMemories(caller, { refs: [made[0]!.id] });
    assert.equal((await engine.getMemories(caller, { refs: [beginning] })).memories[0]?.id, made[1]!.id);
  });

  test('prefers a key to the beginning of an id', async (t) => {
    const { engine } = await openTestEngine(t);
    const { id } = await add(engine, { content: 'a' });
    const keyed = await add(engine, { content: 'b', key: id.slice(0, 10) });
    assert.equal((await engine.getMemories(caller, { refs: [id.slice(0, 10)] })).memories[0]?.id, keyed.id);
  });

  test('looks for a key without a project first, and for one that is unique otherwise', async (t) => {
    const { engine } = await openTestEngine(t);
    await add(engine, { content: 'in p', key: 'k', project: 'p' });
    assert.equal((await engine.getMemories(caller, { refs: ['k'] })).memories[0]?.content, 'in p');
    await add(engine, { content: 'global', key: 'k' });
    assert.equal((await engine.getMemories(caller, { refs: ['k'] })).memories[0]?.content, 'global');
    assert.deepEqual((await engine.getMemories(caller, { refs: ['k'], project: 'elsewhere' })).missing, ['k']);
  });

  test('hides deleted memories unless asked', async (t) => {
    const { engine } = await openTestEngine(t);
    const { id } = await add(engine, { content: 'a' });
    await engine.deleteMemories(caller, { refs: [id] });
    assert.deepEqual(await engine.getMemories(caller, { refs: [id] }), { memories: [], missing: [id] });
    assert.equal(
      (await engine.getMemories(caller, { refs: [id], includeDeleted: true })).memories[0]?.deletedAt,
      START,
    );
  });

  test('counts a read beside the memory and changes nothing of it', async (t) => {
    const { engine, store } = await openTestEngine(t);
    const memory = await add(engine, { content: 'a' });
    const head = await store.head('owner');
    await engine.getMemories(caller, { refs: [memory.id] });
    const [again] = (await engine.getMemories(caller, { refs: [memory.id] })).memories;
    assert.deepEqual(again, memory);
    assert.equal(await store.head('owner'), head);
    assert.equal((await store.readStatistics('owner', [memory.id])).get(memory.id)?.reads, 2);
  });

  test('sees all spaces of the caller and no other', async (t) => {
    const { engine } = await openTestEngine(t);
    const team = makeCaller('mcp', { userId: 'b', space: 'team', spaces: ['team'] });
    const shared = await add(engine, { content: 'shared' }, team);
    const member = makeCaller('mcp', { spaces: ['owner', 'team'] });
    assert.equal((await engine.getMemories(member, { refs: [shared.id] })).memories.length, 1);
    assert.equal((await engine.getMemories(caller, { refs: [shared.id, shared.contentHash] })).memories.length, 0);
  });
});

describe('listing memories', () => {
  test('goes through 45 memories page by page, newest first, by cursor and by offset', async (t) => {
    const { engine, clock } = await openTestEngine(t);
    for (let i = 0; i < 45; i++) {
      clock.time += 1000;
      await add(engine, { content: `memory ${i}` });
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<Engine['listMemories']>> = await engine.listMemories(caller, {
        page: { limit: 20, cursor },
      });
      assert.equal(page.total, 45);
      seen.push(...page.items.map(({ content }) => content));
      cursor = page.cursor;
    } while (cursor !== null);
    assert.deepEqual(
      seen,
      Array.from({ length: 45 }, (_, i) => `memory ${44 - i}`),
    );
    const third = await engine.listMemories(caller, { page: { limit: 20, offset: 40 } });
    assert.deepEqual(
      third.items.map(({ content }) => content),
      seen.slice(40),
    );
    for (const limit of [0, 1001, 1.5])
      await assert.rejects(engine.listMemories(caller, { page: { limit } }), engineError('invalid_input', /limit/));
  });

  test('filters by any and all tags, type, project and time, with spaces and wildcards as they are', async (t) => {
    const { engine, clock } = await openTestEngine(t);
    await add(engine, { content: '1', tags: ['a', 'b b'], type: 'decision' });
    clock.time += DAY;
    await add(engine, { content: '2', tags: ['a'], project: 'p' });
    clock.time += DAY;
    await add(engine, { content: '3', tags: ['b b', '100%'] });
    const list = async (input: Parameters<Engine['listMemories']>[1]) =>
      (await engine.listMemories(caller, input)).items.map(({ content }) => content).join('');
    assert.equal(await list({ filter: { tags: ['a', 'B b'] } }), '321');
    assert.equal(await list({ filter: { tags: ['a', 'b b'], tagMatch: 'all' } }), '1');
    assert.equal(await list({ filter: { tags: ['100%'] } }), '3');
    assert.equal(await list({ filter: { tags: ['1%'] } }), '');
    assert.equal(await list({ filter: { types: ['decision'] } }), '1');
    assert.equal(await list({ filter: { project: 'p' } }), '2');
    assert.equal(await list({ after: '2026-01-16', before: '2026-01-17' }), '2');
    assert.equal(await list({ after: '2026-01-17' }), '3');
    await assert.rejects(
      engine.listMemories(caller, { after: 'whenever the moon is blue' }),
      engineError('unreadable_time'),
    );
    await assert.rejects(
      engine.listMemories(caller, { filter: { tags: [' '] } }),
      engineError('invalid_input', /tags/),
    );
  });

  test('finds what nobody has touched for some days', async (t) => {
    const { engine, clock } = await openTestEngine(t);
    const read = await add(engine, { content: 'read lately' });
    const stale = await add(engine, { content: 'stale' });
    clock.time += 9 * DAY;
    await engine.getMemories(caller, { refs: [read.id] });
    await add(engine, { content: 'new' });
    clock.time += DAY;
    assert.deepEqual(
      (await engine.listMemories(caller, { staleDays: 5 })).items.map(({ id }) => id),
      [stale.id],
    );
    await assert.rejects(engine.listMemories(caller, { staleDays: 0 }), engineError('invalid_input', /staleDays/));
  });

  test('leaves out what is superseded, not yet or no longer valid', async (t) => {
    const { engine, clock } = await openTestEngine(t);
    await add(engine, { content: 'now' });
    await add(engine, { content: 'later', validFrom: START + DAY });
    await add(engine, { content: 'past', validUntil: START - DAY });
    assert.deepEqual(
      (await engine.listMemories(caller, {})).items.map(({ content }) => content),
      ['now'],
    );
    assert.equal((await engine.listMemories(caller, { filter: { includeSuperseded: true } })).total, 3);
    clock.time += 2 * DAY;
    assert.equal((await engine.listMemories(caller, {})).total, 2);
  });

  test('runs through several spaces as if they were one', async (t) => {
    const { engine, clock } = await openTestEngine(t);
    const team = makeCaller('mcp', { space: 'team', spaces: ['team'] });
    for (let i = 0; i < 11; i++) {
      clock.time += MINUTE;
      await add(engine, { content: `memory ${i}` }, i % 3 === 0 ? team : caller);
    }
    const member = makeCaller('mcp', { spaces: ['owner', 'team', 'empty'] });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<Engine['listMemories']>> = await engine.listMemories(member, {
        page: { limit: 3, cursor },
      });
      assert.equal(page.total, 11);
      seen.push(...page.items.map(({ content }) => content));
      cursor = page.cursor;
    } while (cursor !== null);
    assert.deepEqual(
      seen,
      Array.from({ length: 11 }, (_, i) => `memory ${10 - i}`),
    );
    assert.deepEqual(
      (await engine.listMemories(member, { page: { limit: 4, offset: 5 } })).items.map(({ content }) => content),
      seen.slice(5, 9),
    );
    const forged = Buffer.from(JSON.stringify([['secret', null]])).toString('base64url');
    assert.deepEqual((await engine.listMemories(member, { page: { cursor: forged } })).items, []);
    await assert.rejects(engine.listMemories(member, { page: { cursor: 'nonsense' } }), engineError('invalid_cursor'));
  });
});

describe('counting and health', () => {
  test('counts labels of live memories', async (t) => {
    const { engine } = await openTestEngine(t);
    await add(engine, { content: '1', tags: 'a,b' });
    const gone = await add(engine, { content: '2', tags: 'a,gone' });
    await add(engine, { content: '3', tags: 'a' });
    await engine.deleteMemories(caller, { refs: [gone.id] });
    assert.deepEqual(await engine.countLabels(caller, 'tag'), [
      { value: 'a', count: 2 },
      { value: 'b', count: 1 },
    ]);
  });

  test('shows counts, the last week and the version of the package, and of the server to its operator alone', async (t) => {
    const { engine, clock, path } = await openTestEngine(t);
    await add(engine, { content: 'old', tags: 'a' });
    clock.time += 8 * DAY;
    await add(engine, { content: 'new', tags: 'b' });
    await engine.search(caller, { query: 'new' });
    const health = await engine.checkHealth(caller);
    assert.deepEqual(
      [health.status, health.problems, health.facts.records, health.tags, health.createdThisWeek],
      ['healthy', [], 2, 2, 1],
    );
    assert.equal(health.searches?.total, 1);
    assert.ok(health.searches.averageMs > 0);
    assert.equal(health.facts.location, path);
    const reader = await engine.checkHealth(makeCaller('rest', { scopes: new Set(['read']) }));
    assert.deepEqual([reader.facts.records, reader.facts.location, reader.facts.bytes], [2, undefined, undefined]);
    assert.deepEqual([reader.searches, reader.index], [undefined, { head: health.index.head }]);
    const { default: manifest } = await import('../../../package.json', { with: { type: 'json' } });
    assert.equal(health.version, manifest.version);
  });

  test('finds subtypes under their base, in lists and in searches, and deletes no more than was named', async (t) => {
    const { engine } = await openTestEngine(t);
    for (const type of ['fact', 'learning', 'todo', 'preference'])
      await engine.storeMemory(caller, { content: `An entry of type ${type}`, type });
    const listed = await engine.listMemories(caller, { filter: { types: ['learning'] } });
    assert.deepEqual(listed.items.map(({ type }) => type).sort(), ['fact', 'learning']);
    const { hits } = await engine.search(caller, { query: 'entry', filter: { types: ['planning'] } });
    assert.deepEqual(
      hits.map(({ type }) => type),
      ['todo'],
    );
    const { count } = await engine.deleteMemories(caller, { filter: { types: ['learning'] } });
    assert.equal(count, 1);
  });
});

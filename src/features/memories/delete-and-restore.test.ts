import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { DAY, engineError, makeCaller, openTestEngine } from '../../../test/open-test-engine.ts';
import type { Engine } from '../../engine/engine.ts';
import type { StoreMemoryInput } from './memory.ts';
import type { DeleteMemoriesInput } from './name-as-memories.ts';

const caller = makeCaller();

async function add(engine: Engine, input: StoreMemoryInput) {
  const outcome = await engine.storeMemory(caller, { onDuplicate: 'store', ...input });
  assert.ok('memory' in outcome);
  return outcome.memory;
}

const left = async (engine: Engine) =>
  (await engine.listMemories(caller, {})).items.map(({ content }) => content).join('');

describe('deleting memories', () => {
  test('hides a memory from every read, and a second time deletes nothing', async (t) => {
    const { engine } = await openTestEngine(t);
    const { id, contentHash } = await add(engine, { content: 'pelican', tags: 'bird', key: 'k' });
    const first = await engine.deleteMemories(caller, { refs: [id] });
    assert.deepEqual([first.outcome, first.count, first.missing, first.memories[0]?.id], ['deleted', 1, [], id]);
    assert.equal(await left(engine), '');
    assert.deepEqual((await engine.search(caller, { query: 'pelican' })).hits, []);
    assert.deepEqual((await engine.getMemories(caller, { refs: [id, contentHash, 'k'] })).memories, []);
    assert.deepEqual(await engine.countLabels(caller, 'tag'), []);
    const second = await engine.deleteMemories(caller, { refs: [id] });
    assert.deepEqual([second.count, second.missing], [0, [id]]);
  });

  test('deletes every memory of a text by its hash', async (t) => {
    const { engine } = await openTestEngine(t);
    const { contentHash } = await add(engine, { content: 'twice' });
    await add(engine, { content: 'Twice' });
    assert.equal((await engine.deleteMemories(caller, { refs: [contentHash] })).count, 2);
  });

  test('deletes by tags, times, type and project, alone and together', async (t) => {
    const cases: [DeleteMemoriesInput, string][] = [
      [{ filter: { tags: ['a'] } }, '3'],
      [{ filter: { tags: ['a', 'b'], tagMatch: 'all' } }, '31'],
      [{ after: '2026-01-16' }, '1'],
      [{ before: '2026-01-16' }, '32'],
      [{ filter: { types: ['decision'] } }, '21'],
      [{ project: 'p' }, '32'],
      [{ filter: { tags: ['a'] }, after: '2026-01-16' }, '31'],
    ];
    for (const [input, rest] of cases) {
      const { engine, clock } = await openTestEngine(t);
      await add(engine, { content: '1', tags: 'a', project: 'p' });
      clock.time += DAY;
      await add(engine, { content: '2', tags: 'a,b' });
      clock.time += DAY;
      await add(engine, { content: '3', type: 'decision' });
      const tried = await engine.deleteMemories(caller, { ...input, dryRun: true });
      assert.equal(await left(engine), '321');
      const done = await engine.deleteMemories(caller, input);
      assert.equal(await left(engine), rest, JSON.stringify(input));
      assert.deepEqual([tried.outcome, tried.count, tried.memories], ['would_delete', done.count, done.memories]);
    }
  });

  test('refuses to delete without saying what', async (t) => {
    const { engine } = await openTestEngine(t);
    await add(engine, { content: 'x' });
    const empty: DeleteMemoriesInput[] = [
      {},
      { refs: [] },
      { filter: {} },
      { filter: { tags: [] } },
      { filter: { kinds: ['memory'], includeSuperseded: true, contains: '' } },
    ];
    for (const input of empty)
      await assert.rejects(engine.deleteMemories(caller, input), engineError('invalid_input'), JSON.stringify(input));
    assert.equal(await left(engine), 'x');
  });

  test('deletes more than a thousand in small commits and shows the first hundred', async (t) => {
    const { engine, store } = await openTestEngine(t);
    for (let i = 0; i < 2; i++) {
      await engine.storeMemories(
        caller,
        Array.from({ length: 600 }, (_, j) => ({
          content: `m ${i} ${j}`,
          tags: 'many',
          onDuplicate: 'store' as const,
        })),
      );
    }
    const sizes: number[] = [];
    const { commit } = store;
    store.commit = (space, changes, actor) => {
      sizes.push(changes.length);
      return commit(space, changes, actor);
    };
    const outcome = await engine.deleteMemories(caller, { filter: { tags: ['many'] } });
    assert.deepEqual([outcome.count, outcome.memories.length], [1200, 100]);
    assert.equal(
      sizes.reduce((sum, size) => sum + size, 0),
      1200,
    );
    assert.ok(Math.max(...sizes) <= 500, 'other writers get their turn in between');
    assert.equal(await left(engine), '');
  });

  test('deletes only at the revision the caller saw', async (t) => {
    const { engine } = await openTestEngine(t);
    const { id } = await add(engine, { content: 'x' });
    await engine.updateMemory(caller, { ref: id, tags: 'new' });
    await assert.rejects(
      engine.deleteMemories(caller, { refs: [id], revision: 1 }),
      engineError('conflict', /revision 2/, { actual: 2 }),
    );
    assert.equal((await engine.deleteMemories(caller, { refs: [id], revision: 2 })).count, 1);
  });

  test('counts a memory once that twenty callers delete at the same time, by name or by filter', async (t) => {
    const { engine } = await openTestEngine(t);
    for (const what of ['refs', 'filter'] as const) {
      const memories = await Promise.all(
        Array.from({ length: 10 }, (_, i) => add(engine, { content: `m${i}`, tags: 'x' })),
      );
      const input = what === 'refs' ? { refs: memories.map(({ id }) => id) } : { filter: { tags: ['x'] } };
      const answers = await Promise.all(Array.from({ length: 20 }, () => engine.deleteMemories(caller, input)));
      assert.equal(
        answers.map(({ count }) => count).reduce((a, b) => a + b),
        10,
        what,
      );
      const shown = answers.flatMap(({ memories: deleted }) => deleted.map(({ id }) => id));
      assert.deepEqual(shown.toSorted(), memories.map(({ id }) => id).toSorted(), what);
      if (what === 'refs') for (const { count, missing } of answers) assert.equal(count + missing.length, 10);
      assert.equal(await left(engine), '');
    }
  });

  test('never touches another space', async (t) => {
    const { engine } = await openTestEngine(t);
    const { id, contentHash } = await add(engine, { content: 'x', tags: 'a' });
    const stranger = makeCaller('mcp', { userId: 'b', space: 'b', spaces: ['b'] });
    assert.equal((await engine.deleteMemories(stranger, { refs: [id, contentHash] })).count, 0);
    assert.equal((await engine.deleteMemories(stranger, { filter: { tags: ['a'] } })).count, 0);
    assert.deepEqual((await engine.restoreMemories(stranger, [id])).missing, [id]);
    assert.deepEqual((await engine.purgeMemories(stranger, [id])).purged, []);
    assert.equal(await left(engine), 'x');
  });
});

describe('restoring memories', () => {
  test('brings a memory back as it was and makes it findable', async (t) => {
    const { engine, clock } = await openTestEngine(t);
    const memory = await add(engine, { content: 'pelican', tags: 'bird', key: 'k', metadata: { a: 1 } });
    clock.time += DAY;
    await engine.deleteMemories(caller, { refs: [memory.id] });
    const { restored, missing } = await engine.restoreMemories(caller, [memory.contentHash, 'nothing']);
    assert.deepEqual(missing, ['nothing']);
    assert.deepEqual({ ...restored[0], revision: 1 }, memory);
    assert.deepEqual(
      (await engine.search(caller, { query: 'pelican' })).hits.map(({ id }) => id),
      [memory.id],
    );
    assert.deepEqual(
      (await engine.restoreMemories(caller, [memory.id])).restored.map(({ id }) => id),
      [memory.id],
    );
  });

  test('refuses when the text or the key belongs to another memory by now, and says which', async (t) => {
    const { engine } = await openTestEngine(t);
    const text = await add(engine, { content: 'text' });
    const keyed = await add(engine, { content: 'keyed', key: 'k' });
    await engine.deleteMemories(caller, { refs: [text.id, keyed.id] });
    const sameText = await add(engine, { content: 'TEXT' });
    const sameKey = await add(engine, { content: 'another', key: 'k' });
    await assert.rejects(
      engine.restoreMemories(caller, [text.id]),
      engineError('conflict', /same text/, { id: text.id, other: sameText.id }),
    );
    await assert.rejects(
      engine.restoreMemories(caller, [keyed.id]),
      engineError('conflict', /key/, { other: sameKey.id }),
    );
  });

  test('restores all or none', async (t) => {
    const { engine } = await openTestEngine(t);
    const one = await add(engine, { content: 'one' });
    const two = await add(engine, { content: 'two' });
    await engine.deleteMemories(caller, { refs: [one.id, two.id] });
    await add(engine, { content: 'two' });
    await assert.rejects(engine.restoreMemories(caller, [one.id, two.id]), engineError('conflict'));
    assert.equal(await left(engine), 'two');
  });
});

describe('purging memories', () => {
  test('removes a memory for good, its versions and its words in the files included', async (t) => {
    const { engine, path } = await openTestEngine(t, { settings: { flushPassages: 1 } });
    const { id } = await add(engine, { content: 'the zyzzyvapurge password' });
    await engine.updateMemory(caller, { ref: id, content: 'the quokkapurge password' });
    await add(engine, { content: 'another memory' });
    await engine.runUpkeep();
    assert.deepEqual(await engine.purgeMemories(caller, [id]), { purged: [id] });
    assert.deepEqual((await engine.getMemories(caller, { refs: [id], includeDeleted: true })).missing, [id]);
    await assert.rejects(engine.listVersions(caller, id), engineError('not_found'));
    await engine.close();
    for (const word of ['zyzzyvapurge', 'quokkapurge']) assert.ok(!readFileSync(path).includes(word), word);
  });

  test('needs the admin scope', async (t) => {
    const { engine } = await openTestEngine(t);
    const { id } = await add(engine, { content: 'x' });
    await assert.rejects(
      engine.purgeMemories(makeCaller('mcp', { scopes: new Set(['read', 'write']) }), [id]),
      engineError('forbidden'),
    );
  });
});

import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { engineError, makeCaller, openTestEngine } from '../../../test/open-test-engine.ts';
import { UNRESOLVED_TAG } from './conflict.ts';

const me = makeCaller();

async function openWith(t: TestContext, ...contents: (string | { content: string; project: string })[]) {
  const opened = await openTestEngine(t);
  const ids: string[] = [];
  for (const given of contents) {
    opened.clock.run(60_000);
    const stored = await opened.engine.storeMemory(me, typeof given === 'string' ? { content: given } : given);
    assert.equal(stored.outcome, 'stored');
    ids.push(stored.memory.id);
  }
  const pairs = async (input = {}) =>
    (await opened.engine.listConflicts(me, input)).conflicts.map(({ newer, older }) => [
      ids.indexOf(newer.id),
      ids.indexOf(older.id),
    ]);
  return { ...opened, ids, pairs };
}

describe('contradictions', () => {
  test('another value of the same subject, and a denial, are found with the sentences and a reason', async (t) => {
    const { engine, pairs } = await openWith(
      t,
      'Set up on Monday. The staging server listens on port 8080. It is fast.',
      'The production server listens on port 8080',
      'The staging server listens on port 9090',
      'We deploy on Fridays',
      'Never deploy on Fridays',
    );
    assert.deepEqual((await pairs()).toSorted(), [
      [2, 0],
      [4, 3],
    ]);
    const { conflicts } = await engine.listConflicts(me, {});
    const port = conflicts.find(({ reason }) => /number/.test(reason));
    assert.equal(port?.olderSays, 'The staging server listens on port 8080.');
    assert.equal(port?.newerSays, 'The staging server listens on port 9090');
  });

  test('what can both hold is none: other projects, other times, lists, questions, what is superseded', async (t) => {
    const { pairs, engine, ids } = await openWith(
      t,
      { content: 'The default branch is main', project: 'web' },
      { content: 'The default branch is master', project: 'api' },
      'The API supports JSON',
      'The API supports XML',
      'The release was on Monday',
      'The release was on Tuesday',
      'Is the timeout 30s?',
      'The timeout is 60s',
      'The region is us-east-1',
    );
    assert.deepEqual(await pairs(), []);
    await engine.updateMemory(me, { ref: ids[8]!, content: 'The region is eu-west-1', versioned: true });
    assert.deepEqual(await pairs(), []);
  });

  test('the loser is superseded by the winner, stays readable, and an undo takes it back', async (t) => {
    const { engine, pairs, ids, clock } = await openWith(t, 'The timeout is 30s', 'The timeout is 60s');
    assert.deepEqual(await pairs({ ref: ids[0] }), [[1, 0]]);
    clock.run(1000);
    const done = await engine.resolveConflict(me, { winner: ids[1]!, loser: ids[0]!, reason: 'measured' });
    assert.equal(done.outcome, 'superseded');
    assert.deepEqual(await pairs(), []);
    assert.deepEqual(
      (await engine.listMemories(me, {})).items.map(({ id }) => id),
      [ids[1]],
    );
    const all = await engine.search(me, { query: 'timeout', filter: { includeSuperseded: true } });
    assert.equal(all.hits.length, 2);
    assert.equal((await engine.listRelations(me, { ref: ids[0] })).relations[0]?.type, 'supersedes');
    await assert.rejects(engine.resolveConflict(me, { winner: ids[1]!, loser: ids[0]! }), engineError('conflict'));
    clock.run(1000);
    await engine.undoChanges(me, {});
    assert.deepEqual(await pairs(), [[1, 0]]);
  });

  test('a pair that is kept is not reported again, and one that somebody states is', async (t) => {
    const { engine, pairs, ids } = await openWith(
      t,
      'The limit is 10',
      'The limit is 20',
      'Tea helps',
      'Coffee ruins sleep',
    );
    await engine.resolveConflict(me, { winner: ids[0]!, loser: ids[1]!, keepBoth: true });
    assert.deepEqual(await pairs(), []);
    await engine.relate(me, { from: ids[2]!, to: ids[3]!, type: 'contradicts', note: 'she said' });
    assert.deepEqual(await pairs(), [[3, 2]]);
    assert.equal((await engine.listConflicts(me, {})).conflicts[0]?.by, 'stated');
    await engine.unrelate(me, { from: ids[2]!, to: ids[3]! });
    assert.deepEqual(await pairs(), []);
    await assert.rejects(engine.resolveConflict(me, { winner: ids[0]!, loser: ids[0]! }), engineError('invalid_input'));
  });

  test('the tag of mcp-memory-service goes with the decision, but stays while something else contradicts', async (t) => {
    const { engine, ids } = await openWith(t, 'The limit is 10', 'The limit is 20', 'The limit is 30');
    assert.equal((await engine.findConflictsNearby(me, ids[0]!)).length, 2);
    for (const ref of ids) await engine.updateMemory(me, { ref, tags: ['ops', UNRESOLVED_TAG] });
    const marked = async () => {
      const { memories } = await engine.getMemories(me, { refs: ids });
      return memories.filter(({ tags }) => tags.includes(UNRESOLVED_TAG)).map(({ id }) => ids.indexOf(id));
    };
    await engine.resolveConflict(me, { winner: ids[0]!, loser: ids[1]! });
    assert.deepEqual(await marked(), [0, 2]);
    await engine.resolveConflict(me, { winner: ids[0]!, loser: ids[2]!, keepBoth: true });
    assert.deepEqual(await marked(), []);
    assert.deepEqual((await engine.getMemories(me, { refs: [ids[0]!] })).memories[0]?.tags, ['ops']);
  });

  test('are found in German, French, Spanish, Portuguese, Japanese and Chinese, and what can both hold is not', async (t) => {
    const { pairs, engine } = await openWith(
      t,
      'Der Testserver lauscht auf Port 8080',
      'Der Testserver lauscht auf Port 9090',
      "L'API ne supporte pas XML",
      "L'API supporte XML",
      'La caché está habilitada',
      'La caché está deshabilitada',
      'O limite é de 100 pedidos',
      'O limite é de 250 pedidos',
      'タイムアウトは30秒です',
      'タイムアウトは60秒です',
      '计费接口不支持XML',
      '计费接口支持XML',
      'Die Freigabe war am Montag',
      'Die Freigabe war am Dienstag',
      'Ada aime le thé',
      'Ada aime le café',
      'Usa el puerto 80',
      'No usa el puerto 80',
      'これは8080です',
      'これは9090です',
      '它是8080',
      '它是9090',
    );
    assert.deepEqual(
      (await pairs()).toSorted(([a], [b]) => a! - b!),
      [1, 3, 5, 7, 9, 11].map((newer) => [newer, newer - 1]),
    );
    const { conflicts } = await engine.listConflicts(me, {});
    assert.ok(conflicts.some(({ olderSays, reason }) => olderSays === '计费接口不支持XML' && /denies/.test(reason)));
  });
});

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { DAY, MINUTE, makeCaller, openTestEngine, type TestEngine } from '../../../test/open-test-engine.ts';
import type { Caller } from '../../model/caller.ts';
import type { IdentityChange } from '../../model/identity.ts';

const me = makeCaller('rest');
const TEAM = 'team_1';
const inTeam = (userId: string) => makeCaller('rest', { userId, space: TEAM, spaces: [TEAM] });
const ada = makeCaller('rest', { userId: 'ada', space: 'ada', spaces: ['ada'] });

async function change({ store }: TestEngine, ...changes: IdentityChange[]): Promise<void> {
  assert.deepEqual(await store.changeIdentity(changes, 'operator'), { outcome: 'changed' });
}

/** A person, a team of the owner's, and something of everybody's. */
async function open(t: Parameters<typeof openTestEngine>[0], own = 30): Promise<TestEngine> {
  const test = await openTestEngine(t, { isShared: true, settings: { flushPassages: 10 } });
  const user = (id: string) => ({ id, name: id, email: `${id}@example.org`, createdAt: 1, suspendedAt: null });
  await change(
    test,
    { op: 'add_user', user: user('owner') },
    { op: 'add_user', user: user('ada') },
    { op: 'add_team', team: { id: TEAM, name: 'crew', ownerId: 'owner', createdAt: 1 } },
  );
  await add(test, inTeam('owner'), own, 'ownerword');
  await add(test, inTeam('ada'), 5, 'adaword');
  await add(test, ada, 7, 'privateword');
  await add(test, me, 3, 'mine');
  await test.engine.runUpkeep();
  return test;
}

async function add({ engine }: TestEngine, caller: Caller, count: number, word: string): Promise<void> {
  const inputs = Array.from({ length: count }, (_, i) => ({ content: `${word} ${i}`, onDuplicate: 'store' as const }));
  await engine.storeMemories(caller, inputs);
}

const liveIn = async ({ store }: TestEngine, space: string) => (await store.inspect(space)).records;
const isInFiles = ({ path }: TestEngine, word: string) =>
  ['', '-wal'].some((end) => existsSync(path + end) && readFileSync(path + end).includes(word));

describe('a team that is removed', () => {
  test('is emptied by the next program, if the one that removed it was killed in between', async (t) => {
    const test = await open(t, 700);
    await change(test, { op: 'remove_team', id: TEAM });
    assert.equal(await liveIn(test, TEAM), 705);
    const next = await openTestEngine(t, { path: test.path, clock: test.clock, isShared: true });
    await next.engine.finishRemovals();
    const { records, deleted } = await next.store.inspect(TEAM);
    assert.deepEqual([records, deleted, await liveIn(test, 'ada'), await liveIn(test, 'owner')], [0, 705, 7, 3]);
    const last = (await next.store.changesAfter(TEAM, 0, 5000)).at(-1);
    assert.deepEqual([last?.op, last?.actor], ['deleted', 'operator']);
  });

  test('is emptied by another program that is running, however far the first one came', async (t) => {
    const test = await open(t, 600);
    await change(test, { op: 'remove_team', id: TEAM });
    const ids = await test.store.listIds(TEAM, { after: null, limit: 300 });
    await test.store.commit(
      TEAM,
      ids.map((id) => ({ op: 'delete', id, at: test.clock.now() })),
      'killed',
    );
    await test.engine.runUpkeep();
    assert.equal(await liveIn(test, TEAM), 0);
    await add(test, inTeam('owner'), 1, 'a request that was under way');
    await test.engine.runUpkeep();
    assert.equal(await liveIn(test, TEAM), 0);
  });

  test('is emptied although something in it is damaged, which goes at once', async (t) => {
    const test = await open(t);
    const database = new DatabaseSync(test.path);
    database.exec(`UPDATE records SET content = 'altered' WHERE space_id = '${TEAM}' AND content = 'ownerword 3'`);
    database.close();
    await change(test, { op: 'remove_team', id: TEAM });
    await test.engine.runUpkeep();
    const { records, deleted } = await test.store.inspect(TEAM);
    assert.deepEqual([records, deleted], [0, 34]);
    assert.equal((await test.engine.checkHealth(me)).status, 'healthy');
  });

  test('goes for good when what is deleted is not kept any longer, rows and words of its space included', async (t) => {
    const test = await open(t);
    await change(test, { op: 'remove_team', id: TEAM });
    await test.engine.finishRemovals();
    let purged = 0;
    for (let day = 0; day < 30; day++) {
      test.clock.run(DAY);
      purged += (await test.engine.runUpkeep()).purged;
    }
    assert.equal(purged, 0);
    assert.ok(isInFiles(test, 'ownerword'));
    test.clock.run(MINUTE);
    assert.equal((await test.engine.runUpkeep()).purged, 35);
    assert.deepEqual(await test.store.listSpaces(), ['ada', 'owner']);
    assert.deepEqual([await test.store.listRemovals(), await test.store.listTeamIds()], [[], []]);
    assert.ok(!isInFiles(test, 'ownerword'));
    for (const caller of [ada, me])
      assert.ok((await test.engine.search(caller, { query: 'privateword mine' })).hits.length > 0);
    assert.equal((await test.engine.examine(me, {})).sound, true);
  });

  test('stays while the clock is in doubt, and goes when a person confirms it', async (t) => {
    const test = await open(t);
    await change(test, { op: 'remove_team', id: TEAM });
    await test.engine.finishRemovals();
    test.clock.time += 3650 * DAY;
    assert.equal((await test.engine.runUpkeep()).purged, 0);
    assert.equal((await test.engine.purgeExpired(me, { everywhere: true })).count, 35);
    assert.deepEqual(await test.store.listSpaces(), ['ada', 'owner']);
  });

  test('that was removed by a clock which lagged is kept as long as any other', async (t) => {
    const test = await open(t);
    const { time } = test.clock;
    test.clock.time = 1000;
    await change(test, { op: 'remove_team', id: TEAM });
    await test.engine.finishRemovals();
    test.clock.time = time + DAY;
    assert.equal((await test.engine.runUpkeep()).purged, 0);
    assert.equal((await test.store.inspect(TEAM)).deleted, 35);
  });
});

describe('a person who is removed', () => {
  test('leaves what they stored, unless it is to be purged: then nothing of it is left anywhere', async (t) => {
    const test = await open(t);
    await change(test, { op: 'remove_user', id: 'ada' });
    await test.engine.finishRemovals();
    assert.deepEqual(await test.engine.countStoredBy(me, 'ada'), { own: 7, inTeams: 5 });
    await change(test, { op: 'purge_user', id: 'ada' });
    const next = await openTestEngine(t, { path: test.path, clock: test.clock, isShared: true });
    await next.engine.finishRemovals();
    assert.deepEqual(await next.engine.countStoredBy(me, 'ada'), { own: 0, inTeams: 0 });
    assert.deepEqual([await liveIn(test, TEAM), await liveIn(test, 'owner')], [30, 3]);
    assert.deepEqual(await test.store.listSpaces(), ['owner', TEAM]);
    for (const word of ['adaword', 'privateword']) assert.ok(!isInFiles(test, word), word);
    const purged = (await test.store.changesAfter(TEAM, 0, 1000)).filter(({ op }) => op === 'purged');
    assert.equal(purged.length, 5);
  });

  test('loses what a request stored that was still under way', async (t) => {
    const test = await open(t);
    await change(test, { op: 'remove_user', id: 'ada' }, { op: 'purge_user', id: 'ada' });
    await test.engine.finishRemovals();
    await add(test, ada, 1, 'late');
    await add(test, inTeam('ada'), 1, 'late');
    test.clock.run(2 * MINUTE);
    await test.engine.runUpkeep();
    assert.deepEqual(await test.engine.countStoredBy(me, 'ada'), { own: 0, inTeams: 0 });
    assert.deepEqual(await test.store.listRemovals(), []);
  });
});

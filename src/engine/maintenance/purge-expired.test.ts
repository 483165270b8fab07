import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  DAY,
  engineError,
  MINUTE,
  makeCaller,
  makeClock,
  openTestEngine,
  START,
  type TestEngine,
} from '../../../test/open-test-engine.ts';
import type { Engine } from '../engine.ts';

const caller = makeCaller();
const YEAR = 365 * DAY;

async function addMany(engine: Engine, count: number): Promise<string[]> {
  const inputs = Array.from({ length: count }, (_, i) => ({ content: `memory number ${i}` }));
  const outcomes = await engine.storeMemories(caller, inputs);
  return outcomes.map((outcome) => ('memory' in outcome ? outcome.memory.id : ''));
}

/** Days on which a program runs: a round of upkeep each. Returns what was purged. */
async function live({ engine, clock }: TestEngine, days: number): Promise<number> {
  let purged = 0;
  for (let day = 0; day < days; day++) {
    clock.run(DAY);
    purged += (await engine.runUpkeep()).purged;
  }
  return purged;
}

const round = async ({ engine }: TestEngine) => (await engine.runUpkeep()).purged;
const noticesOf = async ({ engine }: TestEngine) => (await engine.checkHealth(caller)).notices.join();

/** The same database, opened by a program that starts. */
function restart(t: Parameters<typeof openTestEngine>[0], { path, clock }: TestEngine): Promise<TestEngine> {
  return openTestEngine(t, { path, clock });
}

async function openWithDeleted(t: Parameters<typeof openTestEngine>[0], count: number): Promise<TestEngine> {
  const test = await openTestEngine(t);
  const ids = await addMany(test.engine, count + 1);
  if (count > 0) await test.engine.deleteMemories(caller, { refs: ids.slice(0, count) });
  await test.engine.runUpkeep();
  return test;
}

describe('what is deleted is purged', () => {
  for (const count of [1, 60])
    test(`when its time is over, be it ${count} of ${count + 1} memories`, async (t) => {
      const test = await openWithDeleted(t, count);
      assert.equal(await live(test, 30), 0);
      test.clock.run(1);
      assert.equal(await round(test), count);
      assert.equal((await test.engine.checkHealth(caller)).facts.deleted, 0);
      assert.equal((await test.engine.checkHealth(caller)).status, 'healthy');
    });

  test('at once after a long pause, as far as it was due before it, and the rest when the clock is believed', async (t) => {
    const test = await openWithDeleted(t, 3);
    await live(test, 20);
    const [id] = await addMany(test.engine, 1);
    await test.engine.deleteMemories(caller, { refs: [id!] });
    await test.store.keepTime({ believedAt: START + 31 * DAY, doubtedAt: null, doubtRanMs: 0 });
    test.clock.time = START + 100 * DAY;
    const next = await restart(t, test);
    assert.equal(await round(next), 3);
    assert.match(await noticesOf(next), /^1 deleted record is past .* `ltm purge --expired` confirms/);
    assert.equal(await live(next, 1), 1);
  });
});

describe('a clock that jumps ahead', () => {
  for (const count of [1, 20, 21])
    test(`purges nothing at the first start, be it ${count} deletions, and nothing later when it is set right`, async (t) => {
      const test = await openWithDeleted(t, count);
      test.clock.time += 10 * YEAR;
      const wrong = await restart(t, test);
      assert.equal(await round(wrong), 0);
      wrong.clock.run(MINUTE);
      assert.equal(await round(wrong), 0);
      const health = await wrong.engine.checkHealth(caller);
      assert.equal(health.status, 'healthy');
      assert.match(health.notices.join(), new RegExp(`^${count} deleted .* since 2026-01-15T12:00:00Z`));
      wrong.clock.time = START + DAY;
      const right = await restart(t, wrong);
      assert.equal(await round(right), 0);
      assert.equal(await noticesOf(right), '');
      assert.equal((await right.engine.checkHealth(caller)).facts.deleted, count);
      assert.equal(await live(right, 30), count);
    });

  test('is believed when it has gone on for a day and programs have seen it run', async (t) => {
    const test = await openWithDeleted(t, 25);
    test.clock.time += 100 * DAY;
    const next = await restart(t, test);
    assert.equal(await round(next), 0);
    next.clock.run(DAY - MINUTE);
    assert.equal(await round(next), 0);
    assert.match(await noticesOf(next), /purged after 2026-04-26T12:00:00Z/);
    next.clock.run(MINUTE);
    assert.equal(await round(next), 25);
    assert.equal(await noticesOf(next), '');
  });

  test('is believed in the end by programs that run for minutes, weeks apart', async (t) => {
    let test = await openWithDeleted(t, 5);
    let purged = 0;
    for (let visit = 0; visit < 4 && purged === 0; visit++) {
      test.clock.time += 50 * DAY;
      test = await restart(t, test);
      test.clock.run(4 * MINUTE);
      purged = await round(test);
      await test.engine.close();
    }
    assert.equal(purged, 5);
  });

  test('is not believed for jumping twice', async (t) => {
    const test = await openWithDeleted(t, 5);
    for (let i = 0; i < 3; i++) {
      test.clock.time += YEAR;
      assert.equal(await round(await restart(t, test)), 0);
    }
  });

  test('by a day or less is taken as it comes', async (t) => {
    const test = await openWithDeleted(t, 5);
    assert.equal(await live(test, 29), 0);
    test.clock.time += DAY;
    assert.equal(await round(test), 0);
    test.clock.time += 1;
    assert.equal(await round(test), 5);
  });

  test('is believed at once when a person confirms it', async (t) => {
    const test = await openWithDeleted(t, 25);
    test.clock.time += 100 * DAY;
    assert.equal(await round(test), 0);
    assert.deepEqual(await test.engine.purgeExpired(caller, { everywhere: true, dryRun: true }), {
      count: 25,
      remains: [],
    });
    assert.equal(await round(test), 0);
    assert.deepEqual(await test.engine.purgeExpired(caller, { everywhere: true }), { count: 25, remains: [] });
    assert.equal(await noticesOf(test), '');
    const [id] = await addMany(test.engine, 1);
    await test.engine.deleteMemories(caller, { refs: [id!] });
    assert.equal(await live(test, 31), 1);
  });

  test('dates deletions that are not kept until then once it is set right', async (t) => {
    const test = await openWithDeleted(t, 0);
    test.clock.time += 10 * YEAR;
    const [id] = await addMany(test.engine, 1);
    await test.engine.deleteMemories(caller, { refs: [id!] });
    await round(test);
    test.clock.time = START + DAY;
    await round(test);
    assert.equal(await live(test, 30), 0);
    assert.equal(await live(test, 1), 1);
  });
});

describe('a clock that goes back', () => {
  test('purges nothing, neither then nor when it is set right', async (t) => {
    const test = await openWithDeleted(t, 5);
    test.clock.time = 1000;
    assert.equal(await round(await restart(t, test)), 0);
    const ids = await addMany(test.engine, 2);
    await test.engine.deleteMemories(caller, { refs: ids });
    test.clock.time = START + DAY;
    const right = await restart(t, test);
    assert.equal(await round(right), 0);
    assert.equal((await right.engine.restoreMemories(caller, ids)).restored.length, 2);
    assert.equal(await live(right, 30), 5);
  });

  test('is believed like one that jumped ahead, so that what a wrong clock had put far ahead does not stay for ever', async (t) => {
    const test = await openWithDeleted(t, 0);
    test.clock.time += 10 * YEAR;
    await round(test);
    await live(test, 2);
    const [id] = await addMany(test.engine, 1);
    await test.engine.deleteMemories(caller, { refs: [id!] });
    test.clock.time = START + DAY;
    await round(test);
    assert.equal(await live(test, 33), 1);
  });

  test('does not leave background work to a program that ended under the wrong clock', async (t) => {
    const test = await openWithDeleted(t, 1);
    const ahead = test.clock.time + 10 * YEAR;
    assert.ok(await test.store.takeLease('upkeep', 'killed', ahead + 120_000, ahead));
    assert.equal(await live(test, 31), 1);
  });
});

test('two programs, one of which has a clock that is years ahead, purge nothing too early', async (t) => {
  const right = await openWithDeleted(t, 5);
  const wrong = await openTestEngine(t, { path: right.path, clock: makeClock(START + 10 * YEAR) });
  for (let hour = 0; hour < 24 * 30; hour++) {
    for (const { clock } of [right, wrong]) clock.run(60 * MINUTE);
    assert.equal((await round(right)) + (await round(wrong)), 0);
  }
  right.clock.run(1);
  assert.equal(await round(right), 5);
});

test('only who may purge confirms what is held back, and others than who runs the store for their own spaces', async (t) => {
  const test = await openWithDeleted(t, 2);
  const ada = makeCaller('rest', { userId: 'ada', space: 'ada', spaces: ['ada'] });
  const stored = await test.engine.storeMemory(ada, { content: 'of ada' });
  await test.engine.deleteMemories(ada, { refs: ['memory' in stored ? stored.memory.id : ''] });
  test.clock.time += 100 * DAY;
  const writer = makeCaller('mcp', { scopes: new Set(['read', 'write']) });
  await assert.rejects(test.engine.purgeExpired(writer, {}), engineError('forbidden'));
  assert.deepEqual(await test.engine.purgeExpired(ada, {}), { count: 1, remains: [] });
  assert.equal(await round(test), 0);
});

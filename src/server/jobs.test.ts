import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openTestEngine } from '../../test/open-test-engine.ts';
import { EngineError } from '../model/errors.ts';
import { openStore } from '../stores/open-store.ts';
import { startUpkeep, upkeepAfterWrites, withArtifactSweep } from './jobs.ts';

const NOTHING = { flushed: 0, merged: 0, embedded: 0, purged: 0, summarized: 0, consolidated: 0 };
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

it('runs one round at a time, and none after it is stopped', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let running = 0;
  let most = 0;
  let rounds = 0;
  const first = Promise.withResolvers<void>();
  const ends = [first.promise];
  const engine = {
    async runUpkeep() {
      rounds++;
      most = Math.max(most, ++running);
      await ends.shift();
      running--;
      return NOTHING;
    },
  };
  const upkeep = startUpkeep(engine, { everySeconds: 60, log: quiet });
  t.mock.timers.tick(59_999);
  assert.equal(rounds, 0);
  for (const ms of [1, 60_000, 60_000]) t.mock.timers.tick(ms);
  const joined = [upkeep.runNow(), upkeep.runNow()];
  assert.deepEqual([rounds, running], [1, 1]);
  first.resolve();
  await Promise.all(joined);
  t.mock.timers.tick(60_000);
  await upkeep.stop();
  assert.deepEqual([rounds, most, running], [2, 1, 0]);
  await upkeep.runNow();
  t.mock.timers.tick(600_000);
  assert.equal(rounds, 2);
});

it('logs a round that failed and goes on with the next', async () => {
  const errors: unknown[] = [];
  let rounds = 0;
  const engine = {
    runUpkeep: () =>
      rounds++ === 0 ? Promise.reject(new EngineError('storage_full', 'The disk is full.')) : Promise.resolve(NOTHING),
  };
  const upkeep = startUpkeep(engine, {
    everySeconds: 3600,
    log: { ...quiet, error: (event, facts) => void errors.push([event, facts?.code]) },
  });
  await upkeep.runNow();
  await upkeep.runNow();
  await upkeep.stop();
  assert.deepEqual(errors, [['upkeep_failed', 'storage_full']]);
  assert.equal(rounds, 2);
});

it('tells a round under way to stop', async () => {
  const engine = {
    runUpkeep: (signal?: AbortSignal) =>
      new Promise<typeof NOTHING>((resolve) =>
        signal?.addEventListener('abort', () => resolve(NOTHING), { once: true }),
      ),
  };
  const upkeep = startUpkeep(engine, { everySeconds: 3600, log: quiet });
  const round = upkeep.runNow();
  await upkeep.stop();
  await round;
});

it('works some time after writes, not while nothing happens, and stops with the engine', async (t) => {
  const { engine } = await openTestEngine(t);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let rounds = 0;
  const counted = {
    ...engine,
    runUpkeep: async () => {
      rounds++;
      return NOTHING;
    },
  };
  const { engine: kept, afterWrite } = upkeepAfterWrites(counted, { everySeconds: 10, log: quiet });
  const pass = async (ms: number) => {
    t.mock.timers.tick(ms);
    await nextTurn();
  };
  await pass(9999);
  assert.equal(rounds, 0);
  await pass(1);
  assert.equal(rounds, 1);
  await pass(100_000);
  assert.equal(rounds, 1);
  afterWrite();
  afterWrite();
  await pass(10_000);
  assert.equal(rounds, 2);
  afterWrite();
  await kept.close();
  await pass(100_000);
  assert.equal(rounds, 2);
});

const NOW = 1_767_225_600_000;
const clock = { now: () => NOW };

it('forgets all expired artifacts of OAuth before the round, and no other', async () => {
  const store = await openStore(':memory:', { clock, log: { info() {}, warn() {}, error() {} } });
  const empty = { payload: {}, grantId: null, userCode: null, uid: null, userId: null, consumedAt: null };
  await Promise.all(
    Array.from({ length: 1203 }, (_, i) =>
      store.putArtifact({ ...empty, model: 'Client', id: `c${i}`, expiresAt: NOW + (i < 1200 ? -i : 1) }),
    ),
  );
  const left: number[] = [];
  const engine = {
    async runUpkeep() {
      left.push(await store.countArtifacts('Client'));
      return { ...NOTHING, purged: 7 };
    },
  };
  const swept = withArtifactSweep(engine, store, clock);
  assert.equal((await swept.runUpkeep()).purged, 7);
  assert.deepEqual(left, [3]);
  await store.close();
});

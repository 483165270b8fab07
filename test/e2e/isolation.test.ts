import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { Engine } from '../../src/engine/engine.ts';
import { seededRandom } from '../../src/evaluation/seeded-random.ts';
import { ownerOf } from '../../src/model/caller.ts';
import { canariesIn, makeTenants } from '../isolation/tenants.ts';
import { tryDoors } from '../isolation/try-doors.ts';
import { openTestApp, type TestApp } from '../open-test-app.ts';

/** More of both by hand: ISOLATION_OPERATIONS=500000 ISOLATION_SEED=7 node --test test/e2e/isolation.test.ts */
const OPERATIONS = Number(process.env.ISOLATION_OPERATIONS ?? 1500);
const SEED = Number(process.env.ISOLATION_SEED ?? 1);
const NO_LIMITS = { 'writes-per-minute': '0', 'reads-per-minute': '0', embedder: 'none' };

async function open(context: TestContext, alter?: (engine: Engine) => Engine): Promise<TestApp> {
  const app = await openTestApp(NO_LIMITS, alter);
  context.after(() => app.close());
  return app;
}

it(`shows nobody what is not theirs, whatever they try (seed ${SEED})`, async (t) => {
  const app = await open(t);
  const { answers, seen } = await tryDoors(app, await makeTenants(app), { operations: OPERATIONS, random: seededRandom(SEED) });
  assert.equal(answers, OPERATIONS);
  assert.ok(seen > OPERATIONS / 10, `only ${seen} answers showed anything`);
  assert.deepEqual(canariesIn(JSON.stringify(app.logged)), new Set(), 'the log');
});

it('would notice a list, a search or a get that forgets to ask whose it is', async (t) => {
  for (const verb of ['listMemories', 'search', 'getMemories'] as const) {
    const app = await open(t, (engine) => {
      const everything = ['team_0', 'team_1', 'team_2', 'team_3', 'team_4', 'person1', 'person2'];
      const leak = (caller: Parameters<Engine[typeof verb]>[0], input: never): unknown =>
        engine[verb]({ ...caller, spaces: [...new Set([...caller.spaces, ...everything])], roles: ownerOf([...caller.spaces, ...everything]) }, input);
      return { ...engine, [verb]: leak };
    });
    await assert.rejects(tryDoors(app, await makeTenants(app), { operations: OPERATIONS, random: seededRandom(SEED) }), /shows what is in/, verb);
  }
});

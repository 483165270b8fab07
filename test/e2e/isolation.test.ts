import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { Engine } from '../../src/engine/engine.ts';
import { seededRandom } from '../../src/features/evaluation/seeded-random.ts';
import { type Caller, ownerOf } from '../../src/model/caller.ts';
import { listenIn } from '../isolation/listen-in.ts';
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

async function tryAll(context: TestContext, app: TestApp): Promise<{ answers: number; seen: number; heard: number }> {
  const tenants = await makeTenants(app);
  const listeners = await listenIn(app, tenants);
  context.after(() => listeners.close());
  const result = await tryDoors(app, tenants, { operations: OPERATIONS, random: seededRandom(SEED), listeners });
  return { ...result, heard: listeners.report().heard };
}

it(`shows nobody what is not theirs, whatever they try (seed ${SEED})`, async (t) => {
  const app = await open(t);
  const { answers, seen, heard } = await tryAll(t, app);
  assert.equal(answers, OPERATIONS);
  assert.ok(seen > OPERATIONS / 10, `only ${seen} answers showed anything`);
  assert.ok(heard > OPERATIONS / 20, `only ${heard} times a stream told anything`);
  assert.deepEqual(canariesIn(JSON.stringify(app.logged)), new Set(), 'the log');
});

const EVERYTHING = ['team_0', 'team_1', 'team_2', 'team_3', 'team_4', 'person1', 'person2'];

/** Each verb without its filter: it looks into spaces that are not the caller's, or into one of them instead of the caller's own. */
const LEAKS: Partial<Record<keyof Engine, (caller: Caller) => Caller>> = {
  listMemories: alsoIn,
  search: alsoIn,
  getMemories: alsoIn,
  countLabels: alsoIn,
  followChanges: alsoIn,
  listPackets: elsewhere,
  exportRecords: elsewhere,
};

function alsoIn(caller: Caller): Caller {
  const spaces = [...new Set([...caller.spaces, ...EVERYTHING])];
  return { ...caller, spaces, roles: ownerOf(spaces) };
}

let turn = 0;
function elsewhere(caller: Caller): Caller {
  return { ...alsoIn(caller), space: EVERYTHING[turn++ % EVERYTHING.length]! };
}

for (const [verb, widen] of Object.entries(LEAKS))
  it(`would notice it if ${verb} forgot to ask whose it is`, async (t) => {
    const app = await open(t, (engine) => {
      const whole = engine[verb as keyof Engine] as (caller: Caller, ...input: unknown[]) => unknown;
      return { ...engine, [verb]: (caller: Caller, ...input: unknown[]) => whole(widen(caller), ...input) };
    });
    await assert.rejects(tryAll(t, app), /shows what is in/);
  });

import { deepEqual, equal } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ACTOR, put, SPACE, START } from './sample-records.ts';
import { headOf, type Promises } from './store-under-test.ts';

/** Far more than any store may take to tell. */
const PATIENCE_MS = 5_000;
/** As long as a store might take to tell what it should not. */
const SILENCE_MS = 700;

async function until(condition: () => boolean): Promise<void> {
  const start = performance.now();
  while (!condition()) {
    if (performance.now() - start > PATIENCE_MS) throw new Error('Nothing was told in time.');
    await sleep(5);
  }
}

export function promiseWatch(promise: Promises): void {
  promise('tells everybody who listens of its own commits at once, each with its space', async (store) => {
    const told: string[] = [];
    const start = performance.now();
    const ends = ['a', 'b'].map((name) => store.watch((space) => told.push(`${name}:${space}`)));
    headOf(await store.commit(SPACE, [put()], ACTOR));
    await until(() => told.length === 2);
    headOf(await store.commit('other', [put()], ACTOR));
    await until(() => told.length === 4);
    equal(performance.now() - start < 2_000, true);
    deepEqual([...told].sort(), ['a:other', `a:${SPACE}`, 'b:other', `b:${SPACE}`].sort());
    for (const end of ends) end();
  });

  promise('tells of what another process commits, soon', async (store, under) => {
    const other = await under.reopen();
    headOf(await other.commit('before', [put()], ACTOR));
    const told: string[] = [];
    const end = store.watch((space) => told.push(space));
    headOf(await other.commit(SPACE, [put()], ACTOR));
    await until(() => told.includes(SPACE));
    headOf(await other.commit('third', [put()], ACTOR));
    await until(() => told.includes('third'));
    headOf(await other.commit(SPACE, [put()], ACTOR));
    await until(() => told.filter((space) => space === SPACE).length === 2);
    equal(told.includes('before'), false);
    end();
  });

  promise(
    'tells nothing of conflicts, of what is no commit, and nobody who has stopped listening',
    async (store, under) => {
      const other = await under.reopen();
      const kept = put();
      headOf(await store.commit(SPACE, [kept], ACTOR));
      const told: string[] = [];
      const late: string[] = [];
      const end = store.watch((space) => told.push(space));
      const endLate = store.watch((space) => late.push(space));
      equal((await store.commit(SPACE, [kept], ACTOR)).outcome, 'conflict');
      await other.takeLease('upkeep', 'a', START + 10, START);
      await sleep(SILENCE_MS);
      end();
      end();
      headOf(await other.commit('other', [put()], ACTOR));
      await until(() => late.length > 0);
      endLate();
      headOf(await store.commit(SPACE, [put()], ACTOR));
      headOf(await other.commit(SPACE, [put()], ACTOR));
      await sleep(SILENCE_MS);
      deepEqual({ told, late }, { told: [], late: ['other'] });
    },
  );

  promise('stops telling when it is closed', async (store, under) => {
    const other = await under.reopen();
    const told: string[] = [];
    const end = store.watch((space) => told.push(space));
    await store.close();
    headOf(await other.commit(SPACE, [put()], ACTOR));
    await sleep(SILENCE_MS);
    deepEqual(told, []);
    end();
  });
}

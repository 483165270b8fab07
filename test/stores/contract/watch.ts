import { deepEqual, equal } from 'node:assert/strict';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { ACTOR, put, SPACE, START } from './sample-records.ts';
import { headOf, type Promises } from './store-under-test.ts';

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5);
}

export function promiseWatch(promise: Promises): void {
  promise('tells everybody who listens of its own commits at once, each with its space', async (store) => {
    const told: string[] = [];
    const ends = ['a', 'b'].map((name) => store.watch((space) => told.push(`${name}:${space}`)));
    for (const space of [SPACE, 'other']) {
      headOf(await store.commit(space, [put()], ACTOR));
      await nextTurn();
      deepEqual(told.splice(0).sort(), [`a:${space}`, `b:${space}`]);
    }
    for (const end of ends) end();
  });

  promise('tells of what another process commits, soon', async (store, under) => {
    const other = await under.reopen();
    const early: string[] = [];
    const endEarly = store.watch((space) => early.push(space));
    headOf(await other.commit('before', [put()], ACTOR));
    await until(() => early.includes('before'));
    endEarly();
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
      // What is told comes in order: whatever of the above were told would be there with this.
      headOf(await other.commit('first', [put()], ACTOR));
      await until(() => told.length > 0 && late.length > 0);
      end();
      end();
      headOf(await other.commit('second', [put()], ACTOR));
      await until(() => late.length > 1);
      endLate();
      headOf(await store.commit(SPACE, [put()], ACTOR));
      headOf(await other.commit(SPACE, [put()], ACTOR));
      const later: string[] = [];
      const endLater = store.watch((space) => later.push(space));
      headOf(await other.commit('third', [put()], ACTOR));
      await until(() => later.includes('third'));
      endLater();
      deepEqual({ told, late }, { told: ['first'], late: ['first', 'second'] });
    },
  );

  promise('stops telling when it is closed', async (store, under) => {
    const [other, open] = [await under.reopen(), await under.reopen()];
    const [told, toldOpen]: string[][] = [[], []];
    const end = store.watch((space) => told!.push(space));
    const endOpen = open.watch((space) => toldOpen!.push(space));
    await store.close();
    // Two, one after the other: the second is told no sooner than a whole round of looking after the first.
    for (const space of ['one', 'two']) {
      headOf(await other.commit(space, [put()], ACTOR));
      await until(() => toldOpen!.includes(space));
    }
    deepEqual(told, []);
    end();
    endOpen();
  });
}

import { deepEqual, equal } from 'node:assert/strict';
import { ACTOR, change, store as keep, put, SPACE } from './sample-records.ts';
import { headOf, type Promises } from './store-under-test.ts';

export function promiseNumbers(promise: Promises): void {
  promise('gives each number to one commit, whichever process asks, and none again', async (store, { reopen }) => {
    const other = await reopen();
    equal(await store.lastNumber(SPACE), 0);
    const { id } = put();
    headOf(await store.commit(SPACE, [put({}, { id }), { op: 'number', after: 0, upTo: 3 }], ACTOR));
    equal(await other.lastNumber(SPACE), 3);
    const late = [put({ content: 'late' }), { op: 'number', after: 0, upTo: 1 }] as const;
    deepEqual(await other.commit(SPACE, late, ACTOR), {
      outcome: 'conflict',
      conflict: { reason: 'numbered', index: 1, last: 3 },
    });
    deepEqual(await store.getRecords(SPACE, [late[0].id]), []);
    headOf(await store.commit(SPACE, [{ op: 'purge', id }], ACTOR));
    equal(await store.lastNumber(SPACE), 3);
    equal(await store.lastNumber('another'), 0);
  });

  promise('merely leaves numbers out where nobody says which was the last', async (store) => {
    await keep(store);
    headOf(await store.commit(SPACE, [{ op: 'number', upTo: 9 }], ACTOR));
    headOf(await store.commit(SPACE, [{ op: 'number', upTo: 4 }], ACTOR));
    equal(await store.lastNumber(SPACE), 9);
  });

  promise('refuses a record that may never have been there where one was purged', async (store) => {
    const { id } = await keep(store);
    const again = put({ content: 'again' }, { id, expect: 'never' });
    const refusal = (reason: 'exists' | 'purged') => ({ outcome: 'conflict', conflict: { reason, index: 0, id } });
    deepEqual(await store.commit(SPACE, [again], ACTOR), refusal('exists'));
    headOf(await store.commit(SPACE, [{ op: 'purge', id }], ACTOR));
    deepEqual(await store.commit(SPACE, [again], ACTOR), refusal('purged'));
    headOf(await store.commit(SPACE, [{ ...again, expect: 'new' }], ACTOR));
  });

  promise('keeps no version of what is made of other records', async (store) => {
    const record = await keep(store);
    headOf(await store.commit(SPACE, [change(record, { content: 'made anew' }, { isDerived: true })], ACTOR));
    deepEqual(await store.listVersions(SPACE, record.id), []);
    deepEqual(
      (await store.getRecords(SPACE, [record.id])).map(({ revision, content }) => [revision, content]),
      [[2, 'made anew']],
    );
    deepEqual((await store.verify()).damaged, []);
  });

  promise('makes the head anew past every number that was given', async (store) => {
    await keep(store);
    headOf(await store.commit(SPACE, [put({ content: 'b' }), { op: 'number', after: 0, upTo: 1 }], ACTOR));
    await store.mendDerived([SPACE]);
    equal((await store.lastNumber(SPACE)) >= 1, true);
  });

  promise('counts labels without the kinds that are left out', async (store) => {
    await keep(store, { tags: ['a'] });
    await keep(store, { content: 'b', kind: 'observation', tags: ['a', 'b'] });
    deepEqual(await store.countLabels(SPACE, 'tag', ['observation']), [{ value: 'a', count: 1 }]);
    deepEqual(await store.countLabels(SPACE, 'kind', ['observation']), [{ value: 'memory', count: 1 }]);
    deepEqual(await store.countLabels(SPACE, 'tag'), [
      { value: 'a', count: 2 },
      { value: 'b', count: 1 },
    ]);
  });

  promise('a copy goes on with the numbers of its source', async (store, { reopen }) => {
    await keep(store);
    headOf(await store.commit(SPACE, [{ op: 'number', upTo: 7 }], ACTOR));
    const { lastNumber, createdAt } = await store.transfer.readState(SPACE);
    equal(lastNumber, 7);
    const target = await reopen();
    await target.transfer.takeIn('copy', { spaceCreatedAt: createdAt, progress: {}, lastNumber });
    equal(await target.lastNumber('copy'), 7);
  });
}

import { deepEqual, equal } from 'node:assert/strict';
import { artifact } from './sample-identities.ts';
import { START } from './sample-records.ts';
import type { Promises } from './store-under-test.ts';

export function promiseOAuth(promise: Promises): void {
  promise(
    'keeps what the OAuth engine remembers and finds it by id, user code and uid, in every process',
    async (store, under) => {
      const full = artifact('DeviceCode', 'd1', {
        grantId: 'g',
        userCode: 'c',
        uid: 'u',
        userId: 'ann',
        payload: { deep: [1, { a: null }], text: 'ü"' },
      });
      await store.putArtifact(full);
      const other = await under.reopen();
      for (const by of [{ id: 'd1' }, { userCode: 'c' }, { uid: 'u' }]) {
        deepEqual(await other.findArtifact('DeviceCode', by), full);
        equal(await other.findArtifact('Session', by), null);
      }
      equal(await other.findArtifact('DeviceCode', { id: 'c' }), null);
      equal(await other.findArtifact('DeviceCode', { userCode: 'd1' }), null);
    },
  );

  promise('keeps artifacts of two models with the same id apart, also those without an end', async (store) => {
    await store.putArtifact(artifact('Client', 'x', { expiresAt: null }));
    await store.putArtifact(artifact('Session', 'x', { payload: { other: true } }));
    deepEqual(await store.findArtifact('Client', { id: 'x' }), artifact('Client', 'x', { expiresAt: null }));
    await store.removeArtifact('Session', 'x');
    await store.removeArtifact('Session', 'x');
    equal(await store.findArtifact('Session', { id: 'x' }), null);
    equal(await store.countArtifacts('Client'), 1);
    equal(await store.countArtifacts('Session'), 0);
  });

  promise('replaces an artifact but does not forget that it was used', async (store) => {
    await store.putArtifact(artifact('RefreshToken', 'r', { userCode: 'c' }));
    await store.putArtifact(artifact('RefreshToken', 'r', { payload: { a: 2 }, expiresAt: START + 9 }));
    deepEqual(
      await store.findArtifact('RefreshToken', { id: 'r' }),
      artifact('RefreshToken', 'r', { payload: { a: 2 }, expiresAt: START + 9 }),
    );
    equal(await store.findArtifact('RefreshToken', { userCode: 'c' }), null);
    equal(await store.consumeArtifact('RefreshToken', 'r', START + 5), true);
    await store.putArtifact(artifact('RefreshToken', 'r', { payload: { a: 3 } }));
    deepEqual(
      await store.findArtifact('RefreshToken', { id: 'r' }),
      artifact('RefreshToken', 'r', { payload: { a: 3 }, consumedAt: START + 5 }),
    );
  });

  promise('lets exactly one of many consume an artifact, whichever process they ask', async (store, under) => {
    const other = await under.reopen();
    await store.putArtifact(artifact('AuthorizationCode', 'a'));
    const won = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        (i % 2 === 0 ? store : other).consumeArtifact('AuthorizationCode', 'a', START + i),
      ),
    );
    equal(won.filter(Boolean).length, 1);
    equal((await other.findArtifact('AuthorizationCode', { id: 'a' }))?.consumedAt, START + won.indexOf(true));
    equal(await store.consumeArtifact('AuthorizationCode', 'unknown', START), false);
    equal(await store.consumeArtifact('Session', 'a', START), false);
  });

  promise('ends a grant with all that belongs to it, once, and notes both its beginning and its end', async (store) => {
    await store.putArtifact(artifact('AccessToken', '1', { grantId: 'g1', userId: 'ann' }));
    await store.putArtifact(artifact('RefreshToken', '2', { grantId: 'g1', userId: 'ann' }));
    await store.putArtifact(artifact('Grant', 'g1', { userId: 'ann' }));
    await store.putArtifact(artifact('AccessToken', '4', { grantId: 'g2', userId: 'bob' }));
    await store.putArtifact(artifact('Client', '5'));
    const grant = { id: 'g1', teamId: 'team_1' };
    deepEqual(await store.changeIdentity([{ op: 'add_grant', grant }], 'ann'), { outcome: 'changed' });
    const both = await Promise.all([1, 2].map(() => store.changeIdentity([{ op: 'remove_grant', grant }], 'oauth')));
    deepEqual(both.map(({ outcome }) => outcome).sort(), ['changed', 'conflict']);
    equal(
      (await store.countArtifacts('AccessToken')) +
        (await store.countArtifacts('RefreshToken')) +
        (await store.countArtifacts('Grant')),
      1,
    );
    equal((await store.findArtifact('AccessToken', { id: '4' }))?.userId, 'bob');
    equal(await store.countArtifacts('Client'), 1);
    const log = await store.listAudit({ teamId: 'team_1', limit: 10 });
    deepEqual(
      log.map(({ op, actor, subject }) => [op, actor, subject]),
      [
        ['remove_grant', 'oauth', 'grant:g1'],
        ['add_grant', 'ann', 'grant:g1'],
      ],
    );
  });

  promise('lists what a person has let in', async (store) => {
    const [first, second] = [artifact('Grant', 'a', { userId: 'ann' }), artifact('Grant', 'b', { userId: 'ann' })];
    for (const one of [
      second,
      first,
      artifact('Grant', 'c', { userId: 'bob' }),
      artifact('Session', 'd', { userId: 'ann' }),
    ])
      await store.putArtifact(one);
    deepEqual(await store.listArtifacts('Grant', 'ann'), [first, second]);
    deepEqual(await store.listArtifacts('Grant', 'cat'), []);
  });

  promise('finds what has expired until it is removed, a bounded number at once', async (store) => {
    for (let i = 0; i < 5; i++) await store.putArtifact(artifact('Session', `s${i}`, { expiresAt: START + i }));
    await store.putArtifact(artifact('Client', 'forever', { expiresAt: null }));
    equal((await store.findArtifact('Session', { id: 's0' }))?.expiresAt, START);
    equal(await store.removeExpiredArtifacts(START + 3, 3), 3);
    equal(await store.removeExpiredArtifacts(START + 3, 3), 1);
    equal(await store.removeExpiredArtifacts(START + 3, 3), 0);
    equal(await store.countArtifacts('Session'), 1);
    equal(await store.countArtifacts('Client'), 1);
  });
}

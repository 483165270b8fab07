import { deepEqual, equal } from 'node:assert/strict';
import { hashOf, invite, member, change as must, refuse, settle, token, user } from './sample-identities.ts';
import { ACTOR, put, SPACE, START, vector } from './sample-records.ts';
import { headOf, type Promises } from './store-under-test.ts';

export function promiseRemovals(promise: Promises): void {
  promise(
    'remembers a team that is removed until nothing of it is left, in the commit that removes it',
    async (store) => {
      await settle(store);
      deepEqual(await store.listRemovals(), []);
      deepEqual(await store.listTeamIds(), ['crew']);
      await must(store, [{ op: 'remove_team', id: 'crew' }]);
      const [removal, ...more] = await store.listRemovals();
      deepEqual([removal?.id, removal?.what, removal?.emptiedAt, more], ['crew', 'team', null, []]);
      deepEqual(await store.listTeamIds(), ['crew']);
      await store.markRemoval('crew', 'emptied', START + 1);
      equal((await store.listRemovals())[0]?.emptiedAt, START + 1);
      await store.markRemoval('crew', 'done', START + 2);
      deepEqual([await store.listRemovals(), await store.listTeamIds()], [[], []]);
    },
  );

  promise('knows people who were removed by id and email, without keeping the address', async (store) => {
    await settle(store);
    await must(store, [{ op: 'remove_user', id: 'bob' }]);
    const removal = await store.findRemoval({ id: 'bob' });
    deepEqual([removal?.what, removal?.purgeAskedAt], ['user', null]);
    deepEqual(await store.findRemoval({ email: ' Bob@Example.org ' }), removal);
    equal(await store.findRemoval({ email: 'ann@example.org' }), null);
    equal(JSON.stringify(await store.transfer.readIdentityRows()).includes('bob@example.org'), false);
    deepEqual(await store.listRemovals(), []);
  });

  promise('gives nobody a token or a place in a team who was removed, until they are added again', async (store) => {
    await settle(store);
    await must(store, [{ op: 'remove_user', id: 'bob' }]);
    await refuse(store, [{ op: 'add_token', token: token('t', { userId: 'bob' }) }], 'removed');
    await refuse(store, [{ op: 'put_member', membership: member('crew', 'bob') }], 'removed');
    await must(store, [
      { op: 'add_user', user: user('bob') },
      { op: 'add_token', token: token('t', { userId: 'bob' }) },
    ]);
    equal(await store.findRemoval({ id: 'bob' }), null);
  });

  promise('never gives an id again whose owner has been purged', async (store) => {
    await settle(store);
    await refuse(store, [{ op: 'purge_user', id: 'bob' }], 'missing');
    await must(store, [
      { op: 'remove_user', id: 'bob' },
      { op: 'purge_user', id: 'bob' },
    ]);
    deepEqual(
      (await store.listRemovals()).map(({ id, what }) => [id, what]),
      [['bob', 'user']],
    );
    await store.markRemoval('bob', 'done', START);
    deepEqual(await store.listRemovals(), []);
    await refuse(store, [{ op: 'add_user', user: user('bob') }], 'removed');
    await must(store, [{ op: 'purge_user', id: 'bob' }]);
    equal((await store.listRemovals()).length, 1);
  });

  promise('hides links while whoever published them is suspended, and removes them with the person', async (store) => {
    await settle(store);
    const link = { sha256: hashOf('own'), space: 'bob', recordId: 'r', createdAt: START, userId: 'bob' };
    const inTeam = { ...link, sha256: hashOf('team'), space: 'crew' };
    const other = { ...inTeam, sha256: hashOf('other'), userId: 'ann' };
    await must(
      store,
      [link, inTeam, other].map((one) => ({ op: 'add_link', link: one })),
    );
    const found = async () =>
      (await Promise.all([link, inTeam, other].map(({ sha256 }) => store.findLink(sha256)))).map((one) => one !== null);
    deepEqual(await found(), [true, true, true]);
    await must(store, [{ op: 'update_user', id: 'bob', suspendedAt: START }]);
    deepEqual(await found(), [false, false, true]);
    await must(store, [{ op: 'update_user', id: 'bob', suspendedAt: null }]);
    deepEqual(await found(), [true, true, true]);
    await must(store, [{ op: 'remove_user', id: 'bob' }]);
    deepEqual(await found(), [false, false, true]);
  });

  promise('lets nobody in by an invite of somebody who is suspended or removed', async (store) => {
    await settle(store);
    await must(store, [
      { op: 'add_invite', invite: invite('i1', { createdBy: 'bob' }) },
      { op: 'update_user', id: 'bob', suspendedAt: START },
    ]);
    const use = { op: 'consume_invite', sha256: hashOf('i1'), userId: 'cat', at: START } as const;
    await refuse(store, [use], 'gone');
    await must(store, [{ op: 'update_user', id: 'bob', suspendedAt: null }, use]);
    await must(store, [
      { op: 'add_invite', invite: invite('i2', { createdBy: 'bob' }) },
      { op: 'remove_user', id: 'bob' },
    ]);
    await refuse(store, [{ ...use, sha256: hashOf('i2') }], 'gone');
    equal((await store.findInvite(hashOf('i1')))?.consumedBy, 'cat');
  });

  promise('drops a space with everything in it, and no other', async (store) => {
    for (const space of [SPACE, 'other']) {
      const [first, second, purged] = [
        put({ tags: ['a'] }, { vectors: [vector(0)] }),
        put({ content: 'related' }),
        put({ content: 'purged' }),
      ];
      const relation = { from: first.id, to: second.id, type: 'about', weight: 1, body: {}, createdAt: START };
      headOf(
        await store.commit(
          space,
          [
            first,
            second,
            purged,
            { ...put({ content: 'changed' }, { id: first.id, expect: 1 }) },
            { op: 'relate', relation },
            { op: 'purge', id: purged.id },
            { op: 'receipt', key: 'k', fingerprint: 'f', answer: { id: first.id }, at: START },
          ],
          ACTOR,
        ),
      );
      await store.recordReads(space, [first.id], START);
      const head = await store.head(space);
      const segment = { id: 's', from: 0, to: head, passages: 2, embedder: null, bytes: new Uint8Array(7) };
      await store.replaceSegments(space, [], [segment]);
    }
    for (let i = 0; i < 3; i++)
      headOf(
        await store.commit(
          SPACE,
          Array.from({ length: 250 }, (_, j) => put({ content: `many ${i} ${j}` })),
          ACTOR,
        ),
      );
    const { bytes: _, ...other } = await store.inspect('other');
    await store.dropSpace(SPACE);
    const { head, records, versions, graves, segments, relations, passages } = await store.inspect(SPACE);
    deepEqual([head, records, versions, graves, segments, relations, passages], [0, 0, 0, 0, 0, 0, 0]);
    equal(await store.findReceipt(SPACE, 'k'), null);
    deepEqual(await store.changesAfter(SPACE, 0, 10), []);
    deepEqual(await store.listSpaces(), ['other']);
    deepEqual(
      (await store.listHeads(null)).map(({ space }) => space),
      ['other'],
    );
    const { bytes: __, ...kept } = await store.inspect('other');
    deepEqual(kept, other);
    deepEqual((await store.verify()).database, []);
    await store.dropSpace(SPACE);
    await store.dropSpace('never there');
  });
}

import { deepEqual, equal } from 'node:assert/strict';
import { artifact, hashOf, member, change as must, refuse, settle, team, token, user } from './sample-identities.ts';
import { ACTOR, store as keep, put, SPACE, START } from './sample-records.ts';
import { headOf, type Promises } from './store-under-test.ts';

export function promiseIdentity(promise: Promises): void {
  promise('keeps people and finds them by id and email, in every process', async (store, under) => {
    await settle(store);
    const other = await under.reopen();
    deepEqual(await other.findUser({ id: 'ann' }), user('ann'));
    deepEqual(await other.findUser({ email: 'bob@example.org' }), user('bob', { createdAt: START + 1 }));
    equal(await other.findUser({ id: 'ann@example.org' }), null);
    equal(await other.findUser({ email: 'ann' }), null);
    deepEqual(
      (await other.listUsers()).map(({ id }) => id),
      ['ann', 'bob', 'cat'],
    );
  });

  promise('refuses a second person with the same id or email, and a person with the id of a team', async (store) => {
    await settle(store);
    await refuse(store, [{ op: 'add_user', user: user('ann', { email: null }) }], 'exists');
    await refuse(store, [{ op: 'add_user', user: user('dan', { email: 'ann@example.org' }) }], 'exists');
    await refuse(store, [{ op: 'add_user', user: user('crew') }], 'exists');
    await refuse(store, [{ op: 'add_team', team: team('cat') }], 'exists');
    await must(store, [{ op: 'add_user', user: user('dan', { email: null }) }]);
    equal((await store.listUsers()).length, 4);
  });

  promise('changes what is said of a person and nothing else', async (store) => {
    await settle(store);
    await must(store, [{ op: 'update_user', id: 'ann', name: 'Ann' }]);
    await must(store, [{ op: 'update_user', id: 'ann', suspendedAt: START + 5 }]);
    deepEqual(await store.findUser({ id: 'ann' }), user('ann', { name: 'Ann', suspendedAt: START + 5 }));
    await must(store, [{ op: 'update_user', id: 'ann', suspendedAt: null, email: null }]);
    deepEqual(await store.findUser({ id: 'ann' }), user('ann', { name: 'Ann', email: null }));
    await refuse(store, [{ op: 'update_user', id: 'ann', email: 'bob@example.org' }], 'exists');
    await refuse(store, [{ op: 'update_user', id: 'nobody', name: 'x' }], 'missing');
  });

  promise('applies every change of a list or none, audit included', async (store) => {
    await settle(store);
    const before = await store.listAudit({ limit: 100 });
    await refuse(
      store,
      [
        { op: 'add_user', user: user('dan') },
        { op: 'add_token', token: token('t1') },
        { op: 'update_user', id: 'ann', name: 'Other' },
        { op: 'remove_link', sha256: hashOf('none') },
      ],
      'missing',
    );
    equal(await store.findUser({ id: 'dan' }), null);
    equal(await store.findToken(hashOf('t1')), null);
    deepEqual(await store.findUser({ id: 'ann' }), user('ann'));
    deepEqual(await store.listAudit({ limit: 100 }), before);
  });

  promise('keeps one password a person until it is replaced or removed', async (store) => {
    await settle(store);
    equal(await store.findPassword('ann'), null);
    await must(store, [{ op: 'set_password', userId: 'ann', hash: 'scrypt$1' }]);
    await must(store, [{ op: 'set_password', userId: 'ann', hash: 'scrypt$2' }]);
    equal(await store.findPassword('ann'), 'scrypt$2');
    equal(await store.findPassword('bob'), null);
    await must(store, [{ op: 'set_password', userId: 'ann', hash: null }]);
    equal(await store.findPassword('ann'), null);
    await refuse(store, [{ op: 'set_password', userId: 'nobody', hash: 'scrypt$1' }], 'missing');
  });

  promise('removes a person with tokens, password, memberships and OAuth grants, and nobody else', async (store) => {
    await settle(store);
    await must(store, [
      { op: 'set_password', userId: 'bob', hash: 'scrypt$1' },
      { op: 'add_token', token: token('of-bob', { userId: 'bob' }) },
      { op: 'add_token', token: token('of-ann') },
    ]);
    await store.putArtifact(artifact('Grant', 'g-bob', { userId: 'bob' }));
    await store.putArtifact(artifact('Grant', 'g-ann', { userId: 'ann' }));
    await must(store, [{ op: 'remove_user', id: 'bob' }]);
    equal(await store.findUser({ id: 'bob' }), null);
    equal(await store.findToken(hashOf('of-bob')), null);
    equal(await store.findPassword('bob'), null);
    deepEqual(await store.listMemberships('bob'), []);
    equal(await store.findArtifact('Grant', { id: 'g-bob' }), null);
    equal((await store.findToken(hashOf('of-ann')))?.id, 'of-ann');
    equal((await store.findArtifact('Grant', { id: 'g-ann' }))?.id, 'g-ann');
    await must(store, [{ op: 'add_user', user: user('bob') }]);
    equal(await store.findPassword('bob'), null);
  });

  promise('does not remove who is unknown or still owns a team', async (store) => {
    await settle(store);
    await refuse(store, [{ op: 'remove_user', id: 'nobody' }], 'missing');
    await refuse(store, [{ op: 'remove_user', id: 'ann' }], 'owns_team');
    await must(store, [
      { op: 'transfer_team', id: 'crew', to: 'bob' },
      { op: 'remove_user', id: 'ann' },
    ]);
  });

  promise('keeps access tokens and finds them by their hash, in every process', async (store, under) => {
    const other = await under.reopen();
    const first = token('t1', { agent: 'reviewer' });
    const second = token('t2', { expiresAt: null, scopes: ['read'], createdAt: START + 1 });
    const third = token('t3', { userId: 'only-in-a-file', createdAt: START + 2 });
    await must(
      store,
      [third, second, first].map((one) => ({ op: 'add_token', token: one })),
    );
    deepEqual(await other.findToken(first.sha256), first);
    equal(await other.findToken(hashOf('else')), null);
    deepEqual(await other.listTokens(), [first, second, third]);
    deepEqual(await other.listTokens('ann'), [first, second]);
  });

  promise(
    'refuses a second token with the same id or hash, and one bound to a team that is not there',
    async (store) => {
      await must(store, [{ op: 'add_token', token: token('t1') }]);
      await refuse(store, [{ op: 'add_token', token: token('t2', { sha256: hashOf('t1') }) }], 'exists');
      await refuse(store, [{ op: 'add_token', token: token('t1', { sha256: hashOf('t2') }) }], 'exists');
      await refuse(store, [{ op: 'add_token', token: token('t2', { teamId: 'nowhere' }) }], 'missing');
      equal((await store.listTokens()).length, 1);
    },
  );

  promise('revokes a token once and for all', async (store) => {
    await must(store, [{ op: 'add_token', token: token('t1') }]);
    await must(store, [{ op: 'revoke_token', id: 't1', at: START + 5 }]);
    await must(store, [{ op: 'revoke_token', id: 't1', at: START + 9 }]);
    await refuse(store, [{ op: 'revoke_token', id: 'unknown', at: START }], 'missing');
    equal((await store.findToken(hashOf('t1')))?.revokedAt, START + 5);
  });

  promise('notes the last use of a token, to the minute', async (store) => {
    await must(store, [{ op: 'add_token', token: token('t1') }]);
    await store.touchToken('t1', START + 1);
    await store.touchToken('t1', START + 2);
    equal((await store.findToken(hashOf('t1')))?.lastUsedAt, START + 1);
    await store.touchToken('t1', START + 60_001);
    equal((await store.findToken(hashOf('t1')))?.lastUsedAt, START + 60_001);
    await store.touchToken('unknown', START);
  });

  promise('keeps links to records by their hash until they are removed', async (store) => {
    const link = { sha256: hashOf('link'), space: 'ann', recordId: 'r1', createdAt: START, userId: 'ann' };
    await must(store, [{ op: 'add_link', link }]);
    deepEqual(await store.findLink(link.sha256), link);
    equal(await store.findLink(hashOf('else')), null);
    await refuse(store, [{ op: 'add_link', link: { ...link, recordId: 'r2' } }], 'exists');
    await must(store, [{ op: 'remove_link', sha256: link.sha256 }]);
    equal(await store.findLink(link.sha256), null);
    await refuse(store, [{ op: 'remove_link', sha256: link.sha256 }], 'missing');
  });

  promise(
    'removes the link to a record that is purged, and keeps it where the record is written anew',
    async (store) => {
      const record = await keep(store);
      const link = { sha256: hashOf('link'), space: SPACE, recordId: record.id, createdAt: START, userId: 'ann' };
      await must(store, [{ op: 'add_link', link }]);
      const again = put({ content: 'clean' }, { id: record.id });
      headOf(await store.commit(SPACE, [{ op: 'purge', id: record.id }, again], ACTOR));
      deepEqual(await store.findLink(link.sha256), link);
      headOf(await store.commit(SPACE, [{ op: 'purge', id: record.id }], ACTOR));
      equal(await store.findLink(link.sha256), null);
    },
  );

  promise('keeps the first secret of a name and gives it to everybody', async (store, under) => {
    const other = await under.reopen();
    const given = await Promise.all([
      store.keepSecret('cookie', 'a'),
      other.keepSecret('cookie', 'b'),
      store.keepSecret('cookie', 'c'),
    ]);
    equal(new Set(given).size, 1);
    equal(await other.keepSecret('cookie', 'd'), given[0]);
    equal(await other.keepSecret('signing', 'e'), 'e');
  });

  promise('does not mind a person whom only a tokens file knows', async (store) => {
    await settle(store);
    await must(store, [{ op: 'put_member', membership: member('crew', 'only-in-a-file', { joinedAt: START + 9 }) }]);
    deepEqual((await store.listMembers('crew')).at(-1), {
      ...member('crew', 'only-in-a-file', { joinedAt: START + 9 }),
      user: null,
    });
    equal((await store.listMemberships('only-in-a-file')).length, 1);
  });
}

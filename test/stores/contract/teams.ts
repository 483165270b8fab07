import { deepEqual, equal } from 'node:assert/strict';
import { hashOf, invite, member, change as must, refuse, settle, team, token, user } from './sample-identities.ts';
import { ACTOR, put, START } from './sample-records.ts';
import { headOf, type Promises } from './store-under-test.ts';

export function promiseTeams(promise: Promises): void {
  promise('keeps teams with their owner as a member, and finds them by id and name', async (store, under) => {
    await settle(store);
    const other = await under.reopen();
    deepEqual(await other.findTeam({ id: 'crew' }), team('crew'));
    deepEqual(await other.findTeam({ name: 'crew people' }), team('crew'));
    equal(await other.findTeam({ id: 'crew people' }), null);
    deepEqual(await other.listMembers('crew'), [
      { ...member('crew', 'ann', { role: 'owner', joinedAt: START }), user: user('ann') },
      { ...member('crew', 'bob'), user: user('bob', { createdAt: START + 1 }) },
    ]);
    deepEqual(await other.listMembers('nowhere'), []);
  });

  promise('lists the teams of a person, the oldest first', async (store) => {
    await settle(store);
    await must(store, [
      { op: 'add_team', team: team('young', { ownerId: 'bob', createdAt: START + 9 }) },
      { op: 'add_team', team: team('old', { ownerId: 'bob', createdAt: START - 9 }) },
    ]);
    deepEqual(
      (await store.listMemberships('bob')).map(({ teamId, role, team }) => [teamId, role, team.name]),
      [
        ['old', 'owner', 'old people'],
        ['crew', 'member', 'crew people'],
        ['young', 'owner', 'young people'],
      ],
    );
    deepEqual(await store.listMemberships('cat'), []);
  });

  promise('refuses a second team with the same id or name', async (store) => {
    await settle(store);
    await refuse(store, [{ op: 'add_team', team: team('crew', { name: 'other' }) }], 'exists');
    await refuse(store, [{ op: 'add_team', team: team('other', { name: 'crew people' }) }], 'exists');
  });

  promise('gives a member another role and keeps the day they joined', async (store) => {
    await settle(store);
    const roleOf = async (id: string) => (await store.listMemberships(id))[0];
    await must(store, [
      { op: 'put_member', membership: member('crew', 'bob', { role: 'admin', joinedAt: START + 99 }) },
    ]);
    deepEqual(await roleOf('bob'), { ...member('crew', 'bob', { role: 'admin' }), team: team('crew') });
    await must(store, [
      { op: 'put_member', membership: member('crew', 'bob', { role: 'reader' }), unlessMember: true },
    ]);
    equal((await roleOf('bob'))?.role, 'admin');
    await must(store, [
      { op: 'put_member', membership: member('crew', 'cat', { role: 'reader' }), unlessMember: true },
    ]);
    equal((await roleOf('cat'))?.role, 'reader');
    await refuse(store, [{ op: 'put_member', membership: member('nowhere', 'bob') }], 'missing');
  });

  promise('has one owner a team, who neither leaves nor steps down but by transfer', async (store) => {
    await settle(store);
    await refuse(store, [{ op: 'put_member', membership: member('crew', 'ann', { role: 'admin' }) }], 'owns_team');
    await refuse(store, [{ op: 'put_member', membership: member('crew', 'bob', { role: 'owner' }) }], 'exists');
    await refuse(store, [{ op: 'remove_member', teamId: 'crew', userId: 'ann', at: START }], 'owns_team');
    await must(store, [
      { op: 'put_member', membership: member('crew', 'ann', { role: 'member' }), unlessMember: true },
    ]);
    await refuse(store, [{ op: 'transfer_team', id: 'crew', to: 'cat' }], 'missing');
    await refuse(store, [{ op: 'transfer_team', id: 'nowhere', to: 'bob' }], 'missing');
    await must(store, [{ op: 'transfer_team', id: 'crew', to: 'bob' }]);
    equal((await store.findTeam({ id: 'crew' }))?.ownerId, 'bob');
    deepEqual(
      (await store.listMembers('crew')).map(({ userId, role }) => [userId, role]),
      [
        ['ann', 'admin'],
        ['bob', 'owner'],
      ],
    );
    await must(store, [{ op: 'transfer_team', id: 'crew', to: 'bob' }]);
    equal((await store.listMemberships('bob'))[0]?.role, 'owner');
    await must(store, [{ op: 'remove_member', teamId: 'crew', userId: 'ann', at: START }]);
  });

  promise('revokes what a removed member could still open the team with, and nothing else', async (store) => {
    await settle(store);
    await must(store, [
      { op: 'add_token', token: token('bound', { userId: 'bob', teamId: 'crew' }) },
      { op: 'add_token', token: token('revoked', { userId: 'bob', teamId: 'crew', revokedAt: START + 2 }) },
      { op: 'add_token', token: token('own', { userId: 'bob' }) },
      { op: 'add_token', token: token('of-ann', { teamId: 'crew' }) },
      { op: 'remove_member', teamId: 'crew', userId: 'bob', at: START + 7 },
    ]);
    const revokedAt = async (id: string) => (await store.findToken(hashOf(id)))?.revokedAt;
    deepEqual(await Promise.all(['bound', 'revoked', 'own', 'of-ann'].map(revokedAt)), [
      START + 7,
      START + 2,
      null,
      null,
    ]);
    deepEqual(await store.listMemberships('bob'), []);
    await refuse(store, [{ op: 'remove_member', teamId: 'crew', userId: 'bob', at: START }], 'missing');
    await refuse(store, [{ op: 'remove_member', teamId: 'nowhere', userId: 'bob', at: START }], 'missing');
  });

  promise('removes a team with memberships, invites, links and its tokens, and leaves its records', async (store) => {
    await settle(store);
    const record = put();
    headOf(await store.commit('crew', [record], ACTOR));
    const link = { space: 'crew', recordId: record.id, createdAt: START, userId: 'ann' };
    await must(store, [
      { op: 'add_invite', invite: invite('i1') },
      { op: 'add_token', token: token('bound', { teamId: 'crew' }) },
      { op: 'add_token', token: token('own') },
      { op: 'add_link', link: { ...link, sha256: hashOf('of-crew') } },
      { op: 'add_link', link: { ...link, sha256: hashOf('of-ann'), space: 'ann' } },
      { op: 'remove_team', id: 'crew' },
    ]);
    equal(await store.findTeam({ id: 'crew' }), null);
    deepEqual(await store.listMembers('crew'), []);
    deepEqual(await store.listMemberships('bob'), []);
    equal(await store.findInvite(hashOf('i1')), null);
    equal(await store.findLink(hashOf('of-crew')), null);
    equal((await store.findLink(hashOf('of-ann')))?.space, 'ann');
    deepEqual(
      (await store.listTokens()).map(({ id }) => id),
      ['own'],
    );
    equal((await store.getRecords('crew', [record.id])).length, 1);
    await refuse(store, [{ op: 'remove_team', id: 'crew' }], 'missing');
    await must(store, [{ op: 'remove_user', id: 'ann' }]);
  });

  promise('keeps invites by their hash until they are removed', async (store) => {
    await settle(store);
    const [first, second] = [invite('i1'), invite('i2', { createdAt: START - 1, role: 'reader' })];
    await must(
      store,
      [first, second].map((one) => ({ op: 'add_invite', invite: one })),
    );
    deepEqual(await store.findInvite(first.sha256), first);
    deepEqual(await store.listInvites('crew'), [second, first]);
    deepEqual(await store.listInvites('nowhere'), []);
    await refuse(store, [{ op: 'add_invite', invite: invite('i3', { sha256: hashOf('i1') }) }], 'exists');
    await refuse(store, [{ op: 'add_invite', invite: invite('i1', { sha256: hashOf('i3') }) }], 'exists');
    await refuse(store, [{ op: 'add_invite', invite: invite('i3', { teamId: 'nowhere' }) }], 'missing');
    await must(store, [{ op: 'remove_invite', id: 'i1' }]);
    equal(await store.findInvite(first.sha256), null);
    await refuse(store, [{ op: 'remove_invite', id: 'i1' }], 'missing');
  });

  promise('lets exactly one of many accept an invite, whichever process they ask', async (store, under) => {
    await settle(store);
    await must(store, [{ op: 'add_invite', invite: invite('i1') }]);
    const other = await under.reopen();
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        (i % 2 === 0 ? store : other).changeIdentity(
          [
            { op: 'consume_invite', sha256: hashOf('i1'), userId: `new-${i}`, at: START + 1 },
            { op: 'put_member', membership: member('crew', `new-${i}`) },
          ],
          `new-${i}`,
        ),
      ),
    );
    const winner = outcomes.findIndex(({ outcome }) => outcome === 'changed');
    for (const [i, outcome] of outcomes.entries()) {
      if (i !== winner) deepEqual(outcome, { outcome: 'conflict', conflict: { index: 0, reason: 'gone' } });
    }
    deepEqual(await store.findInvite(hashOf('i1')), {
      ...invite('i1'),
      consumedAt: START + 1,
      consumedBy: `new-${winner}`,
    });
    equal((await store.listMembers('crew')).length, 3);
  });

  promise('says the same of an invite that is unknown, used or past its time', async (store) => {
    await settle(store);
    await must(store, [{ op: 'add_invite', invite: invite('late') }]);
    await refuse(store, [{ op: 'consume_invite', sha256: hashOf('late'), userId: 'cat', at: START + 1000 }], 'gone');
    await refuse(store, [{ op: 'consume_invite', sha256: hashOf('none'), userId: 'cat', at: START }], 'gone');
    await must(store, [{ op: 'consume_invite', sha256: hashOf('late'), userId: 'cat', at: START + 999 }]);
    await refuse(store, [{ op: 'consume_invite', sha256: hashOf('late'), userId: 'cat', at: START + 999 }], 'gone');
  });
}

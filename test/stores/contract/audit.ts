import { deepEqual, equal } from 'node:assert/strict';
import { hashOf, invite, member, change as must, settle, token } from './sample-identities.ts';
import { START } from './sample-records.ts';
import type { Promises } from './store-under-test.ts';

export function promiseAudit(promise: Promises): void {
  promise('has a line in the audit log for each change: who, when, what, to whom, in which team', async (store) => {
    await settle(store);
    const [{ seq: last = 0 } = {}] = await store.listAudit({ limit: 1 });
    const link = { sha256: hashOf('link'), space: 'crew', recordId: 'r1', createdAt: START, userId: 'ann' };
    const outcome = await store.changeIdentity(
      [
        { op: 'set_password', userId: 'ann', hash: 'scrypt$secret' },
        { op: 'add_token', token: token('t1', { teamId: 'crew' }) },
        { op: 'revoke_token', id: 't1', at: START },
        { op: 'add_invite', invite: invite('i1') },
        { op: 'consume_invite', sha256: hashOf('i1'), userId: 'cat', at: START },
        { op: 'put_member', membership: member('crew', 'cat') },
        { op: 'remove_invite', id: 'i1' },
        { op: 'add_link', link },
        { op: 'remove_link', sha256: link.sha256 },
        { op: 'add_link', link: { ...link, space: 'ann' } },
        { op: 'remove_member', teamId: 'crew', userId: 'cat', at: START },
        { op: 'transfer_team', id: 'crew', to: 'bob' },
        { op: 'remove_team', id: 'crew' },
        { op: 'remove_user', id: 'cat' },
      ],
      'ann',
    );
    deepEqual(outcome, { outcome: 'changed' });
    const entries = (await store.listAudit({ limit: 100 })).filter(({ seq }) => seq > last).reverse();
    deepEqual(
      entries.map(({ op, subject, teamId }) => [op, subject, teamId]),
      [
        ['set_password', 'user:ann', null],
        ['add_token', 'token:t1', 'crew'],
        ['revoke_token', 'token:t1', 'crew'],
        ['add_invite', 'invite:i1', 'crew'],
        ['consume_invite', 'invite:i1', 'crew'],
        ['put_member', 'user:cat', 'crew'],
        ['remove_invite', 'invite:i1', 'crew'],
        ['add_link', 'link:r1', 'crew'],
        ['remove_link', 'link:r1', 'crew'],
        ['add_link', 'link:r1', null],
        ['remove_member', 'user:cat', 'crew'],
        ['transfer_team', 'team:crew', 'crew'],
        ['remove_team', 'team:crew', 'crew'],
        ['remove_user', 'user:cat', null],
      ],
    );
    equal(
      entries.every(({ actor, at }) => actor === 'ann' && at > START),
      true,
    );
  });

  promise('reads the audit log of the server or of a team page by page, newest first', async (store) => {
    await settle(store);
    const all = await store.listAudit({ limit: 100 });
    deepEqual(
      all.map(({ subject }) => subject),
      ['user:bob', 'team:crew', 'user:cat', 'user:bob', 'user:ann'],
    );
    const first = await store.listAudit({ limit: 2 });
    deepEqual(first, all.slice(0, 2));
    deepEqual(await store.listAudit({ limit: 2, beforeSeq: first[1]?.seq ?? 0 }), all.slice(2, 4));
    deepEqual(await store.listAudit({ limit: 9, teamId: 'crew' }), all.slice(0, 2));
    deepEqual(await store.listAudit({ limit: 9, teamId: 'crew', beforeSeq: all[0]?.seq ?? 0 }), all.slice(1, 2));
    deepEqual(await store.listAudit({ limit: 9, teamId: 'nowhere' }), []);
  });

  promise('finds nothing damaged after changes of identities', async (store) => {
    await settle(store);
    await must(store, [
      { op: 'add_token', token: token('t1', { teamId: 'crew' }) },
      { op: 'add_invite', invite: invite('i1') },
      { op: 'remove_team', id: 'crew' },
      { op: 'remove_user', id: 'bob' },
    ]);
    deepEqual((await store.verify()).database, []);
  });
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { boundTo, failsWith, makePerson, openTestAccounts } from '../../../test/open-test-accounts.ts';
import type { EngineError } from '../../model/errors.ts';

describe('teams', () => {
  it('belong to who makes them, under a name that nobody else has', async (t) => {
    const { accounts, person } = await openTestAccounts(t);
    const [ann, bob] = [await person('ann'), await person('bob')];
    const team = await accounts.createTeam(ann, '  ops_1-x ');
    assert.deepEqual([team.name, team.ownerId], ['ops_1-x', 'ann']);
    assert.deepEqual(
      (await accounts.listTeams(ann)).map(({ teamId, role }) => [teamId, role]),
      [[team.id, 'owner']],
    );
    assert.deepEqual(await accounts.listTeams(bob), []);
    await failsWith('duplicate', accounts.createTeam(bob, 'ops_1-x'));
    for (const name of ['', 'Ops', '-ops', '_ops', 'öps', 'a b', 'a'.repeat(41), 'a/b'])
      await failsWith('invalid_input', accounts.createTeam(ann, name));
    await accounts.createTeam(ann, '0'.repeat(40));
  });

  it('of others look like teams that do not exist', async (t) => {
    const { accounts, person } = await openTestAccounts(t);
    const [ann, eve] = [await person('ann'), await person('eve')];
    const { id } = await accounts.createTeam(ann, 'ops');
    const read = async (attempt: Promise<unknown>) =>
      attempt.catch((error: Error & { code: string; hint: string }) => [error.code, error.message, error.hint]);
    for (const name of ['ops', id]) {
      assert.deepEqual(await read(accounts.listMembers(eve, name)), await read(accounts.listMembers(eve, 'nowhere')));
      assert.deepEqual(await read(accounts.removeTeam(eve, name)), await read(accounts.removeTeam(eve, 'nowhere')));
    }
    await failsWith('not_found', accounts.createInvite(eve, 'ops'), /^team not found$/);
    await failsWith('not_found', accounts.leaveTeam(eve, 'ops'));
    await failsWith('not_found', accounts.listAudit(eve, { team: 'ops' }));
  });

  it('are deleted and handed over by their owner alone', async (t) => {
    const { accounts, person } = await openTestAccounts(t);
    const [ann, bob] = [await person('ann'), await person('bob')];
    await accounts.createTeam(ann, 'ops');
    const { code } = await accounts.createInvite(ann, 'ops', { role: 'admin' });
    await accounts.acceptInvite(bob, code);
    await failsWith('forbidden', accounts.removeTeam(bob, 'ops'));
    await failsWith('forbidden', accounts.transferTeam(bob, 'ops', 'bob'));
    await failsWith('not_found', accounts.transferTeam(ann, 'ops', 'nobody'));
    assert.equal((await accounts.transferTeam(ann, 'ops', 'bob@example.org')).ownerId, 'bob');
    assert.deepEqual(
      (await accounts.listMembers(ann, 'ops')).map(({ userId, role }) => [userId, role]),
      [
        ['ann', 'admin'],
        ['bob', 'owner'],
      ],
    );
    await failsWith('forbidden', accounts.removeTeam(ann, 'ops'));
    await accounts.removeTeam(bob, 'ops');
    await failsWith('not_found', accounts.listMembers(bob, 'ops'));
    await accounts.createTeam(ann, 'ops');
  });

  it('cannot be made with a credential that reads only or opens one team only', async (t) => {
    const { accounts, person } = await openTestAccounts(t);
    const ann = await person('ann');
    const { id } = await accounts.createTeam(ann, 'ops');
    await accounts.createTeam(ann, 'web');
    await failsWith('forbidden', accounts.createTeam(makePerson('ann', ['read']), 'more'));
    const bound = boundTo(ann, id);
    await failsWith('forbidden', accounts.createTeam(bound, 'more'));
    await failsWith('not_found', accounts.listMembers(bound, 'web'));
    assert.deepEqual(
      (await accounts.listTeams(bound)).map(({ team }) => team.name),
      ['ops'],
    );
  });
});

describe('members', () => {
  it('are managed by admins; about admins the owner decides; the owner stays', async (t) => {
    const { accounts, person } = await openTestAccounts(t);
    const people = {
      ann: await person('ann'),
      bob: await person('bob'),
      cem: await person('cem'),
      dia: await person('dia'),
    };
    await accounts.createTeam(people.ann, 'ops');
    for (const [who, role] of [
      ['bob', 'admin'],
      ['cem', 'admin'],
      ['dia', 'member'],
    ] as const) {
      await accounts.acceptInvite(people[who], (await accounts.createInvite(people.ann, 'ops', { role })).code);
    }
    await failsWith('forbidden', accounts.setRole(people.dia, 'ops', { user: 'bob', role: 'reader' }));
    await failsWith('forbidden', accounts.removeMember(people.dia, 'ops', 'bob'));
    await failsWith('forbidden', accounts.setRole(people.bob, 'ops', { user: 'cem', role: 'reader' }));
    await failsWith('forbidden', accounts.setRole(people.bob, 'ops', { user: 'dia', role: 'admin' }));
    await failsWith('forbidden', accounts.removeMember(people.bob, 'ops', 'cem'));
    await failsWith('invalid_input', accounts.setRole(people.ann, 'ops', { user: 'ann', role: 'reader' }));
    await failsWith('invalid_input', accounts.setRole(people.ann, 'ops', { user: 'bob', role: 'owner' }));
    await failsWith('invalid_input', accounts.removeMember(people.bob, 'ops', 'ann'));
    await failsWith('invalid_input', accounts.leaveTeam(people.ann, 'ops'));
    await assert.rejects(accounts.leaveTeam(people.ann, 'ops'), ({ hint }: EngineError) => {
      assert.match(hint ?? '', /`ltm teams transfer ops USER`.*`ltm teams rm ops`/);
      return true;
    });
    await failsWith('not_found', accounts.removeMember(people.ann, 'ops', 'nobody'));

    await accounts.setRole(people.bob, 'ops', { user: 'dia@example.org', role: 'reader' });
    await accounts.setRole(people.ann, 'ops', { user: 'cem', role: 'member' });
    await failsWith('forbidden', accounts.createInvite(people.dia, 'ops'));
    await accounts.removeMember(people.bob, 'ops', 'cem');
    await accounts.leaveTeam(people.dia, 'ops');
    assert.deepEqual(
      (await accounts.listMembers(people.ann, 'ops')).map(({ userId }) => userId),
      ['ann', 'bob'],
    );
    await failsWith('not_found', accounts.listMembers(people.cem, 'ops'));
  });

  it('lose the tokens bound to the team when they go', async (t) => {
    const { accounts, person, store } = await openTestAccounts(t);
    const [ann, bob] = [await person('ann'), await person('bob')];
    await accounts.createTeam(ann, 'ops');
    await accounts.acceptInvite(bob, (await accounts.createInvite(ann, 'ops')).code);
    const bound = await accounts.issueToken(bob, { name: 'ci', team: 'ops' });
    const own = await accounts.issueToken(bob, { name: 'laptop' });
    await accounts.removeMember(ann, 'ops', 'bob');
    assert.notEqual((await store.findToken(bound.token.sha256))?.revokedAt, null);
    assert.equal((await store.findToken(own.token.sha256))?.revokedAt, null);
  });
});

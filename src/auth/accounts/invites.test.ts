import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { boundTo, failsWith, makePerson, openTestAccounts } from '../../../test/open-test-accounts.ts';
import { hashToken } from '../tokens.ts';

const DAY_MS = 86_400_000;

async function openTeam(t: TestContext) {
  const opened = await openTestAccounts(t);
  const ann = await opened.person('ann');
  const team = await opened.accounts.createTeam(ann, 'ops');
  return { ...opened, ann, team };
}

describe('invites', () => {
  it('are 48 hexadecimal characters, kept as a hash, good for seven days and for one person', async (t) => {
    const { accounts, person, store, clock, ann } = await openTeam(t);
    const bob = await person('bob');
    const { code, invite } = await accounts.createInvite(ann, 'ops');
    assert.match(code, /^[0-9a-f]{48}$/);
    assert.equal(invite.expiresAt - clock.now(), 7 * DAY_MS);
    assert.doesNotMatch(JSON.stringify(await store.listInvites(invite.teamId)), new RegExp(code));
    assert.equal((await accounts.peekInvite(code))?.team.name, 'ops');
    assert.equal((await accounts.acceptInvite(bob, code))?.token, null);
    assert.equal(await accounts.acceptInvite(await person('cem'), code), null);
    assert.equal(await accounts.peekInvite(code), null);

    const late = await accounts.createInvite(ann, 'ops');
    clock.at += 7 * DAY_MS - 1;
    assert.notEqual(await accounts.peekInvite(late.code), null);
    clock.at += 1;
    assert.equal(await accounts.peekInvite(late.code), null);
    assert.equal(await accounts.acceptInvite(await person('cem'), late.code), null);
    for (const wrong of ['', 'x', 'ab'.repeat(24), `${code}\n`])
      assert.equal(await accounts.acceptInvite(null, wrong), null);
  });

  it('give at most the role of who invites, and never that of the owner', async (t) => {
    const { accounts, person, ann } = await openTeam(t);
    const [bob, cem] = [await person('bob'), await person('cem')];
    await accounts.acceptInvite(bob, (await accounts.createInvite(ann, 'ops', { role: 'member' })).code);
    await accounts.acceptInvite(cem, (await accounts.createInvite(ann, 'ops', { role: 'reader' })).code);
    await failsWith('forbidden', accounts.createInvite(ann, 'ops', { role: 'owner' }));
    await failsWith('forbidden', accounts.createInvite(bob, 'ops', { role: 'admin' }));
    await failsWith('forbidden', accounts.createInvite(cem, 'ops', { role: 'reader' }));
    await failsWith('forbidden', accounts.createInvite(makePerson('bob', ['read']), 'ops'));
    await failsWith('invalid_input', accounts.createInvite(ann, 'ops', { days: 31 }));
    assert.equal((await accounts.createInvite(bob, 'ops', { role: 'reader' })).invite.role, 'reader');
  });

  it('make a person, a token and a membership for somebody without an account', async (t) => {
    const { accounts, store, ann, team } = await openTeam(t);
    const { code } = await accounts.createInvite(ann, 'ops');
    const accepted = await accounts.acceptInvite(null, code);
    assert.ok(accepted?.token);
    assert.equal(accepted.user.name, `invited-${accepted.user.id.slice(-6)}`);
    const token = await store.findToken(hashToken(accepted.token));
    assert.deepEqual([token?.userId, token?.scopes, token?.teamId], [accepted.user.id, ['read', 'write'], null]);
    assert.deepEqual(
      (await accounts.listMembers(ann, 'ops')).map(({ user, role }) => [user?.name, role]),
      [
        ['ann', 'owner'],
        [accepted.user.name, 'member'],
      ],
    );
    assert.deepEqual(
      (await accounts.listAudit(ann, { team: team.id })).items.map(({ op, actor }) => `${op} by ${actor}`),
      [
        `put_member by ${accepted.user.id}`,
        `consume_invite by ${accepted.user.id}`,
        'add_invite by ann',
        'add_team by ann',
      ],
    );
  });

  it('let exactly one of sixteen in who come at the same moment, and leave nothing of the others', async (t) => {
    const { accounts, store, ann } = await openTeam(t);
    const { code } = await accounts.createInvite(ann, 'ops');
    const before = (await store.listUsers()).length;
    const results = await Promise.all(
      Array.from({ length: 16 }, () => accounts.acceptInvite(null, code, { name: 'newcomer' })),
    );
    assert.equal(results.filter((result) => result !== null).length, 1);
    assert.equal((await store.listUsers()).length, before + 1);
    assert.equal((await store.listTokens()).length, 1);
    assert.equal((await accounts.listMembers(ann, 'ops')).length, 2);
  });

  it('take a name, an email and a password of the newcomer, if they are good', async (t) => {
    const { accounts, ann } = await openTeam(t);
    const { code } = await accounts.createInvite(ann, 'ops');
    await failsWith('invalid_input', accounts.acceptInvite(null, code, { password: 'short' }));
    await failsWith(
      'invalid_input',
      accounts.acceptInvite(null, code, { name: 'Eve', password: 'four unrelated words' }),
    );
    await failsWith('invalid_input', accounts.acceptInvite(null, code, { email: 'nowhere' }));
    await failsWith('invalid_input', accounts.acceptInvite(null, code, { name: 'a\u202eb' }));
    await failsWith('duplicate', accounts.acceptInvite(null, code, { email: 'Ann@Example.org' }));
    const accepted = await accounts.acceptInvite(null, code, {
      name: ' Eve ',
      email: 'Eve@Example.org',
      password: 'four unrelated words',
    });
    assert.deepEqual([accepted?.user.name, accepted?.user.email], ['Eve', 'eve@example.org']);
    assert.equal(
      (await accounts.checkPassword('eve@example.org', 'four unrelated words', '10.0.0.1'))?.id,
      accepted?.user.id,
    );
  });

  it('are used up by a member, who keeps the role', async (t) => {
    const { accounts, ann } = await openTeam(t);
    const { code } = await accounts.createInvite(ann, 'ops', { role: 'reader' });
    assert.notEqual(await accounts.acceptInvite(ann, code), null);
    assert.equal((await accounts.listTeams(ann))[0]?.role, 'owner');
    assert.equal(await accounts.peekInvite(code), null);
  });

  it('are listed without their codes, and taken back by who made them or an admin', async (t) => {
    const { accounts, person, ann } = await openTeam(t);
    const bob = await person('bob');
    await accounts.acceptInvite(bob, (await accounts.createInvite(ann, 'ops')).code);
    const [of, by] = [await accounts.createInvite(ann, 'ops'), await accounts.createInvite(bob, 'ops')];
    assert.deepEqual(
      (await accounts.listInvites(bob, 'ops')).map(({ id }) => id).sort(),
      [of.invite.id, by.invite.id].sort(),
    );
    await failsWith('forbidden', accounts.removeInvite(bob, 'ops', of.invite.id));
    await accounts.removeInvite(bob, 'ops', by.invite.id);
    await accounts.removeInvite(ann, 'ops', of.invite.id);
    await failsWith('not_found', accounts.removeInvite(ann, 'ops', of.invite.id));
    assert.equal(await accounts.acceptInvite(null, of.code), null);
  });

  it('are not for credentials that cannot write, or that are bound to a team', async (t) => {
    const { accounts, person, ann, team } = await openTeam(t);
    await person('bob');
    const { code } = await accounts.createInvite(ann, 'ops');
    await failsWith('forbidden', accounts.acceptInvite(makePerson('bob', ['read']), code));
    await failsWith('forbidden', accounts.acceptInvite(boundTo(ann, team.id), code));
    assert.notEqual(await accounts.peekInvite(code), null);
  });
});

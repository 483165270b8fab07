import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openTestApp } from '../../../../test/open-test-app.ts';
import { createRemoteClient } from '../../../client/remote-client.ts';
import { EngineError } from '../../../model/errors.ts';
import { createLocalClient, openLocalSession } from '../../../server/local-session.ts';
import type { Client } from '../../../verbs/client.ts';
import { VERBS } from '../../verb-table.ts';

const app = await openTestApp();
const session = await openLocalSession(
  { declared: app.config.declared, flags: { db: app.config.db }, env: {}, file: `${app.config.db}.json` },
  'cli',
);
after(async () => {
  await session.engine.close();
  await app.close();
});

function farOf(token: string): Client {
  return createRemoteClient(VERBS, {
    host: 'http://test',
    fetch: async (path, init = {}) => {
      const headers = Object.fromEntries(new Headers(init.headers));
      return app.request(init.method ?? 'GET', path, { token, headers, ...(init.body && { body: String(init.body) }) });
    },
  });
}
/** As a command begins: with the teams that the person is in by then. */
const openNear = async (): Promise<Client> => createLocalClient(VERBS, session, await session.callerNow());
const openFar = async (): Promise<Client> => farOf(app.tokens.admin);
const fails = (code: string) => (error: unknown) => error instanceof EngineError && error.code === code;

for (const [where, open] of [
  ['near', openNear],
  ['far', openFar],
] as const)
  describe(`people, ${where}`, () => {
    it('are added, listed, suspended and removed', async () => {
      const client = await open();
      const { user, created } = await client.addUser({ id: `ada-${where}`, name: 'Ada' });
      assert.deepEqual([created, user.name, user.email, user.suspendedAt], [true, 'Ada', null, null]);
      assert.equal((await client.addUser({ id: `ada-${where}` })).created, false);
      assert.deepEqual(
        (await client.listUsers({})).users.find(({ id }) => id === user.id),
        user,
      );
      assert.equal(typeof (await client.suspendUser({ user: user.id, suspended: true })).user.suspendedAt, 'number');
      await client.setPassword({ user: user.id, password: 'four unrelated words' });
      assert.equal(await client.removeUser({ user: user.id }), undefined);
      await assert.rejects(client.setPassword({ user: user.id, password: null }), fails('not_found'));
    });

    it('get tokens without their hashes', async () => {
      const client = await open();
      const { user } = await client.addUser({ email: `bob-${where}@example.org` });
      const expiresAt = Date.UTC(2190, 0, 1);
      const { value, token } = await client.createToken({ name: 'ci', user: user.email!, scopes: ['read'], expiresAt });
      assert.deepEqual([token.userId, token.scopes, token.expiresAt], [user.id, ['read'], expiresAt]);
      assert.equal((await farOf(value).whoami({})).user.id, user.id);
      const { tokens } = await client.listTokens({});
      assert.doesNotMatch(JSON.stringify([tokens, token]), /sha256/i);
      assert.ok(tokens.some(({ id, userId }) => id === token.id && userId === user.id));
      await client.revokeToken({ token: token.id });
      await assert.rejects(farOf(value).whoami({}), fails('unauthorized'));
    });

    it('make teams, invite into them once, and read what happened', async () => {
      const client = await open();
      const name = `team-${where}`;
      const { team } = await client.createTeam({ name });
      assert.equal(team.role, 'owner');
      const { code, url } = await client.createInvite({ team: name, role: 'reader' });
      assert.ok(url.endsWith(`/v1/invites/${code}`));
      assert.doesNotMatch(JSON.stringify(await client.listInvites({ team: name })), /sha256/i);
      const { user } = await client.addUser({ id: `cem-${where}` });
      const cem = farOf((await app.addToken(['read', 'write'], user.id)).value);
      assert.equal((await cem.acceptInvite({ code })).team?.role, 'reader');
      for (const again of [cem, client])
        assert.deepEqual(await again.acceptInvite({ code }), { user: null, team: null });
      await client.setRole({ team: name, user: user.id, role: 'member' });
      const { members } = await client.listMembers({ team: name });
      assert.deepEqual(
        members.map(({ userId, role }) => [userId, role]),
        [
          ['owner', 'owner'],
          [user.id, 'member'],
        ],
      );
      const { entries } = await client.listAudit({ team: name, limit: 2 });
      assert.deepEqual(
        entries.map(({ op, teamId }) => [op, teamId]),
        [
          ['put_member', team.id],
          ['put_member', team.id],
        ],
      );
      await (await open()).deleteTeam({ team: name });
      assert.deepEqual((await client.listTeams({})).teams, []);
    });
  });

it('the operator at the machine reads the audit log of a team that is not theirs', async () => {
  const dan = farOf((await app.addToken(['read', 'write', 'admin'], 'dan')).value);
  await dan.createTeam({ name: 'of-dan' });
  assert.equal((await (await openNear()).listAudit({ team: 'of-dan' })).entries[0]?.op, 'add_team');
  await assert.rejects((await openFar()).listAudit({ team: 'of-dan' }), fails('not_found'));
});

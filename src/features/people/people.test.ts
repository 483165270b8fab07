import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openTestApp } from '../../../test/open-test-app.ts';

const app = await openTestApp();
after(() => app.close());

const ALL = ['read', 'write', 'admin'] as const;
async function person(
  id: string,
  scopes: readonly ('read' | 'write' | 'admin')[] = ['read', 'write'],
): Promise<string> {
  const user = { id, name: id, email: `${id}@example.org`, createdAt: 1, suspendedAt: null };
  await app.store.changeIdentity([{ op: 'add_user', user }], 'test');
  return (await app.addToken(scopes, id)).value;
}
const ask = async (method: string, path: string, token: string, json?: unknown) =>
  app.request(method, `/api/v1${path}`, { token, ...(json === undefined ? {} : { json }) });
const status = async (...call: Parameters<typeof ask>) => (await ask(...call)).status;
/** Checked against the schema that the route declares. */
async function read<Body>(method: string, path: string, token: string, json?: unknown): Promise<Body> {
  const answer = await app.json<Body & { detail?: string }>(method, `/api/v1${path}`, {
    token,
    ...(json === undefined ? {} : { json }),
  });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.body.detail}`);
  return answer.body;
}

describe('tokens over REST', () => {
  it('are made, shown once, listed without their value, used and revoked at once', async () => {
    const ann = await person('ann');
    const { value, token } = await read<{ value: string; token: { id: string; scopes: string[] } }>(
      'POST',
      '/tokens',
      ann,
      { name: 'ci', scopes: ['read'] },
    );
    assert.deepEqual(token.scopes, ['read']);
    assert.equal((await read<{ user: { id: string } }>('GET', '/whoami', value)).user.id, 'ann');
    const listed = await ask('GET', '/tokens', ann);
    assert.doesNotMatch(await listed.text(), new RegExp(`${value}|sha256`));
    assert.equal(await status('POST', '/tokens', value, { name: 'more' }), 403);
    assert.equal(await status('POST', '/tokens', ann, { name: 'more', scopes: ['admin'] }), 403);
    assert.equal(await status('DELETE', '/tokens/ci', ann), 204);
    assert.equal(await status('GET', '/whoami', value), 401);
  });

  it('revoke themselves', async () => {
    const ben = await person('ben', ['read']);
    assert.equal(await status('DELETE', '/tokens/current', ben), 204);
    assert.equal(await status('GET', '/whoami', ben), 401);
  });

  it('of others look like tokens that do not exist', async () => {
    const [cat, eve] = [await person('cat'), await person('eve0')];
    const { token } = await read<{ token: { id: string } }>('POST', '/tokens', cat, { name: 'x' });
    const body = async (id: string) => ({
      ...((await (await ask('DELETE', `/tokens/${id}`, eve)).json()) as object),
      request_id: '',
    });
    assert.deepEqual(await body(token.id), await body('tok_000000000000000000'));
  });
});

describe('teams over REST', () => {
  it('go from the first member to the last with the codes that clients expect', async () => {
    const [ann, bob, eve] = [await person('ann1'), await person('bob1'), await person('eve1')];
    const { team } = await read<{ team: { id: string; owner_id: string; role: string } }>('POST', '/teams', ann, {
      name: 'ops',
    });
    assert.deepEqual([team.owner_id, team.role], ['ann1', 'owner']);
    assert.equal(await status('POST', '/teams', bob, { name: 'ops' }), 409);
    assert.equal(await status('POST', '/teams', bob, { name: 'Not A Name' }), 400);
    const invite = await read<{ code: string; url: string; id: string }>('POST', '/teams/ops/invites', ann, {});
    assert.equal(invite.url, `http://127.0.0.1:8000/v1/invites/${invite.code}`);
    assert.equal((await read<{ invites: unknown[] }>('GET', '/teams/ops/invites', ann)).invites.length, 1);
    assert.equal(
      (await read<{ team: { role: string } }>('POST', `/invites/${invite.code}/accept`, bob)).team.role,
      'member',
    );
    assert.equal(await status('POST', `/invites/${invite.code}/accept`, eve), 410);

    assert.equal(await status('GET', '/teams/ops/members', eve), 404);
    assert.equal(await status('DELETE', '/teams/ops', bob), 403);
    assert.equal(await status('DELETE', '/teams/ops', eve), 404);
    assert.equal(await status('DELETE', '/teams/ops/members/ann1', ann), 400);
    assert.equal(await status('PATCH', '/teams/ops/members/bob1', ann, { role: 'reader' }), 204);
    assert.equal(await status('POST', '/teams/ops/invites', bob, {}), 403);
    assert.equal(await status('PATCH', '/teams/ops/members/bob1', ann, { role: 'admin' }), 204);
    assert.equal(await status('POST', '/teams/ops/leave', ann), 400);
    await read('POST', '/teams/ops/transfer', ann, { to: 'bob1' });
    assert.equal(await status('POST', '/teams/ops/leave', ann), 204);
    assert.equal(
      (await read<{ members: { user_id: string }[] }>('GET', '/teams/ops/members', bob)).members
        .map(({ user_id }) => user_id)
        .join(),
      'bob1',
    );
    assert.equal(await status('DELETE', '/teams/ops', bob), 204);
    assert.deepEqual((await read<{ teams: unknown[] }>('GET', '/teams', bob)).teams, []);
  });

  it('are a space of their own, which the caller names and members alone enter', async () => {
    const [ann, bob, eve] = [await person('ann2'), await person('bob2'), await person('eve2')];
    await read('POST', '/teams', ann, { name: 'web' });
    const { code } = await read<{ code: string }>('POST', '/teams/web/invites', ann, { role: 'reader' });
    await read('POST', `/invites/${code}/accept`, bob);
    await read('POST', '/memories?team=web', ann, { content: 'the team deploys on Fridays' });
    await read('POST', '/memories', ann, { content: 'ann is tired of Fridays' });
    const see = async (token: string, path: string) =>
      (await (await ask('GET', path, token)).text()).match(/deploys|tired/g) ?? [];
    assert.deepEqual(await see(bob, '/memories?team=web'), ['deploys']);
    assert.deepEqual(await see(eve, '/memories?team=web'), []);
    assert.equal(await status('GET', '/memories?team=web', eve), 404);
    assert.equal(await status('POST', '/memories?team=web', bob, { content: 'a reader writes' }), 403);
    assert.equal(await status('DELETE', '/teams/web/members/bob2', ann), 204);
    assert.equal(await status('GET', '/memories?team=web', bob), 404);
  });
});

describe('the operator over REST', () => {
  it('sees, suspends and removes people; nobody else does', async () => {
    const dan = await person('dan', ALL);
    for (const [method, path, json] of [
      ['GET', '/users'],
      ['PATCH', '/users/dan', { suspended: true }],
      ['DELETE', '/users/dan'],
      ['GET', '/audit'],
    ] as const) {
      assert.equal(await status(method, path, dan, json), 403, path);
    }
    const { users } = await read<{ users: { id: string }[] }>('GET', '/users', app.tokens.admin);
    assert.ok(users.some(({ id }) => id === 'dan'));
    await read('PATCH', '/users/dan', app.tokens.admin, { suspended: true });
    assert.equal(await status('GET', '/whoami', dan), 401);
    await read('PATCH', '/users/dan@example.org', app.tokens.admin, { suspended: false });
    assert.equal(await status('GET', '/whoami', dan), 200);
    assert.equal(await status('DELETE', '/users/dan', app.tokens.admin), 204);
    assert.equal(await status('GET', '/whoami', dan), 401);
    assert.equal(await status('DELETE', '/users/owner', app.tokens.admin), 400);
  });

  it('adds people, once each; nobody else does', async () => {
    const eve = await person('eve4', ALL);
    const ada = { id: 'ada4', email: 'Ada4@example.org', name: 'Ada' };
    const { team } = await read<{ team: { id: string } }>('POST', '/teams', app.tokens.admin, { name: 'owners' });
    const bound = (await app.addToken(ALL, 'owner', team.id)).value;
    for (const token of [eve, bound, app.tokens.write, app.tokens.read])
      assert.equal(await status('POST', '/users', token, ada), 403);
    const users = async () => (await read<{ users: { id: string }[] }>('GET', '/users', app.tokens.admin)).users;
    assert.ok(!(await users()).some(({ id }) => id === 'ada4'));
    assert.equal(await status('POST', '/users', app.tokens.admin, ada), 201);
    const { user, created } = await read<{ user: { name: string; email: string }; created: boolean }>(
      'POST',
      '/users',
      app.tokens.admin,
      { email: 'ada4@example.org', name: 'Somebody' },
    );
    assert.deepEqual([user.name, user.email, created], ['Ada', 'ada4@example.org', false]);
    assert.equal(await status('POST', '/users', app.tokens.admin, { id: 'other', email: 'ada4@example.org' }), 409);
    for (const nobody of [{}, { id: 'a b' }, { email: 'nowhere' }, { id: 'x', admin: true }])
      assert.equal(await status('POST', '/users', app.tokens.admin, nobody), 400, JSON.stringify(nobody));
    const { entries } = await read<{ entries: { op: string; actor: string; subject: string }[] }>(
      'GET',
      '/audit?limit=5',
      app.tokens.admin,
    );
    assert.ok(
      entries.some(({ op, actor, subject }) => op === 'add_user' && actor === 'owner' && subject === 'user:ada4'),
    );
  });

  it('makes tokens for others, by id or email, and sees everybody’s; nobody else does', async () => {
    const [fay, gus] = [await person('fay', ALL), await person('gus', ALL)];
    for (const user of ['fay', 'fay@example.org', 'nobody'])
      assert.equal(await status('POST', '/tokens', gus, { name: 'x', user }), 403, user);
    assert.equal(await status('POST', '/tokens', app.tokens.write, { name: 'x', user: 'fay' }), 403);
    assert.equal(await status('POST', '/tokens', app.tokens.admin, { name: 'x', user: 'nobody' }), 404);
    for (const user of ['fay', 'Fay@example.org']) {
      const { value, token } = await read<{ value: string; token: { user_id: string; expires_at: string } }>(
        'POST',
        '/tokens',
        app.tokens.admin,
        { name: 'for fay', user, expires_at: '2190-01-01T00:00:00Z' },
      );
      assert.deepEqual([token.user_id, token.expires_at], ['fay', '2190-01-01T00:00:00.000Z']);
      assert.equal((await read<{ user: { id: string } }>('GET', '/whoami', value)).user.id, 'fay');
    }
    for (const wrong of [{ scopes: [] }, { scopes: ['all'] }, { scopes: 'read' }, { expires_at: 'tomorrow' }])
      assert.equal(await status('POST', '/tokens', fay, { name: 'x', ...wrong }), 400, JSON.stringify(wrong));
    const owners = async (token: string) =>
      new Set(
        (await read<{ tokens: { user_id: string }[] }>('GET', '/tokens', token)).tokens.map(({ user_id }) => user_id),
      );
    assert.deepEqual(await owners(fay), new Set(['fay']));
    const all = await owners(app.tokens.admin);
    for (const user of ['owner', 'fay', 'gus']) assert.ok(all.has(user), user);
    assert.deepEqual(await owners(app.tokens.write), new Set(['owner']));
  });

  it('sets the password of anybody; others set their own with the scope admin', async () => {
    const [hal, ida, writer] = [await person('hal', ALL), await person('ida', ALL), await person('writer')];
    const [first, second] = ['four unrelated words', 'five other unrelated words'];
    for (const token of [ida, writer, app.tokens.write])
      for (const user of ['hal', 'nobody'])
        assert.equal(await status('PUT', `/users/${user}/password`, token, { password: first }), 403);
    assert.equal(await status('PUT', '/users/writer/password', writer, { password: first }), 403);
    assert.equal(await status('PUT', '/users/nobody/password', app.tokens.admin, { password: first }), 404);
    assert.equal(await status('PUT', '/users/hal/password', app.tokens.admin, { password: 'short' }), 400);
    assert.equal(await status('PUT', '/users/hal/password', app.tokens.admin, {}), 400);
    assert.equal(await status('PUT', '/users/hal%40example.org/password', app.tokens.admin, { password: first }), 204);
    const change = (current_password: string, password: string | null) =>
      status('PUT', '/password', hal, { current_password, password });
    assert.equal(await change(second, first), 403);
    assert.equal(await change(first, second), 204);
    assert.equal(await status('PUT', '/users/hal/password', hal, { password: first }), 204);
    assert.equal(await status('PUT', '/users/hal/password', app.tokens.admin, { password: null }), 204);
    assert.equal(await change(first, second), 403);
  });

  it('reads who changed what, about people and in a space', async () => {
    const { entries, cursor } = await read<{ entries: { op: string }[]; cursor: string }>(
      'GET',
      '/audit?limit=2',
      app.tokens.admin,
    );
    assert.equal(entries.length, 2);
    assert.equal(
      (await read<{ entries: { seq: number }[] }>('GET', `/audit?limit=2&cursor=${cursor}`, app.tokens.admin)).entries
        .length,
      2,
    );
    await read('POST', '/memories', app.tokens.admin, { content: 'for the change feed' });
    const { changes, last } = await read<{ changes: { op: string; actor: string }[]; last: number }>(
      'GET',
      '/changes',
      app.tokens.admin,
    );
    assert.equal(changes.at(-1)?.op, 'created');
    assert.equal(
      (await read<{ changes: unknown[] }>('GET', `/changes?after=${last}`, app.tokens.admin)).changes.length,
      0,
    );
    assert.equal(await status('GET', '/changes', app.tokens.write), 403);
  });

  it('leaves the audit log of a team to its admins', async () => {
    const [ann, bob] = [await person('ann3', ALL), await person('bob3', ALL)];
    await read('POST', '/teams', ann, { name: 'pay' });
    const { code } = await read<{ code: string }>('POST', '/teams/pay/invites', ann, {});
    await read('POST', `/invites/${code}/accept`, bob);
    const { entries } = await read<{ entries: { op: string; subject: string }[] }>('GET', '/audit?team=pay', ann);
    assert.deepEqual(
      entries.map(({ op }) => op),
      ['put_member', 'consume_invite', 'add_invite', 'add_team'],
    );
    assert.equal(await status('GET', '/audit?team=pay', bob), 403);
    assert.equal(await status('GET', '/audit?team=pay', app.tokens.admin), 404);
    assert.equal(await status('GET', '/audit', ann), 403);
  });
});

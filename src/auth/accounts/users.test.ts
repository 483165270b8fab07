import assert from 'node:assert/strict';
import { it } from 'node:test';
import { failsWith, makePerson, openTestAccounts } from '../../../test/open-test-accounts.ts';
import { OPERATOR } from '../accounts.ts';

const ADMIN = ['read', 'write', 'admin'] as const;

it('finds a person by id or email, or makes them', async (t) => {
  const { accounts } = await openTestAccounts(t);
  const made = await accounts.ensureUser(OPERATOR, { email: ' Ann@Example.org ' });
  assert.deepEqual([made.created, made.user.name, made.user.email], [true, 'ann', 'ann@example.org']);
  assert.match(made.user.id, /^user_/);
  assert.deepEqual(await accounts.ensureUser(OPERATOR, { email: 'ann@example.org' }), {
    user: made.user,
    created: false,
  });
  assert.deepEqual(await accounts.ensureUser(OPERATOR, { id: made.user.id }), { user: made.user, created: false });
  assert.equal((await accounts.ensureUser(OPERATOR, { id: 'bob' })).user.name, 'bob');
  await failsWith('duplicate', accounts.ensureUser(OPERATOR, { id: 'cem', email: 'ann@example.org' }));
  for (const wanted of [{}, { id: 'team_x' }, { id: 'a b' }, { id: '' }, { email: 'nowhere' }, { name: '\u0007' }])
    await failsWith('invalid_input', accounts.ensureUser(OPERATOR, wanted));
});

it('is the operator’s business alone', async (t) => {
  const { accounts, person } = await openTestAccounts(t);
  const ann = await person('ann', ADMIN);
  for (const asker of [ann, makePerson('owner', ['read', 'write'])]) {
    await failsWith('forbidden', accounts.listUsers(asker));
    await failsWith('forbidden', accounts.ensureUser(asker, { id: 'new' }));
    await failsWith('forbidden', accounts.suspendUser(asker, 'ann', true));
    await failsWith('forbidden', accounts.removeUser(asker, 'ann'));
    await failsWith('forbidden', accounts.listAudit(asker));
  }
  assert.equal((await accounts.listUsers(makePerson('owner', ADMIN))).length, 1);
});

it('suspends, resumes and removes people, but never the owner', async (t) => {
  const { accounts, person, store, clock } = await openTestAccounts(t);
  const ann = await person('ann');
  await accounts.issueToken(ann, { name: 'a' });
  await accounts.ensureUser(OPERATOR, { id: 'owner' });
  assert.equal((await accounts.suspendUser(OPERATOR, 'ann@example.org', true)).suspendedAt, clock.now());
  assert.equal((await accounts.suspendUser(OPERATOR, 'ann', false)).suspendedAt, null);
  await failsWith('invalid_input', accounts.suspendUser(OPERATOR, 'owner', true));
  await failsWith('invalid_input', accounts.removeUser(OPERATOR, 'owner'));
  await failsWith('not_found', accounts.removeUser(OPERATOR, 'nobody'));
  await accounts.createTeam(ann, 'ops');
  await failsWith('conflict', accounts.removeUser(OPERATOR, 'ann'));
  await accounts.removeTeam(ann, 'ops');
  await accounts.removeUser(OPERATOR, 'ann');
  assert.deepEqual(await store.listTokens('ann'), []);
});

it('checks passwords without telling who exists, whoever is suspended', async (t) => {
  const { accounts, person, clock } = await openTestAccounts(t);
  const ann = await person('ann', ADMIN);
  const password = 'four unrelated words';
  await failsWith('forbidden', accounts.setPassword(makePerson('ann'), 'ann', password));
  await failsWith('forbidden', accounts.setPassword(ann, 'bob', password));
  await failsWith('invalid_input', accounts.setPassword(ann, 'ann', 'ann@example.org'));
  await accounts.setPassword(ann, 'ann', password);
  const check = async (login: string, given: string, address = '10.0.0.1') =>
    (await accounts.checkPassword(login, given, address))?.id ?? null;
  assert.equal(await check('ann', password), 'ann');
  assert.equal(await check('Ann@Example.org', password), 'ann');
  assert.equal(await check('ann', 'four unrelated word'), null);
  assert.equal(await check('nobody@example.org', password), null);
  await accounts.suspendUser(OPERATOR, 'ann', true);
  assert.equal(await check('ann', password), null);
  await accounts.suspendUser(OPERATOR, 'ann', false);
  await accounts.setPassword(OPERATOR, 'ann', null);
  assert.equal(await check('ann', password), null);
  const tries = await Promise.allSettled(Array.from({ length: 12 }, () => check('nobody', 'x', '10.9.9.9')));
  assert.equal(tries.filter(({ status }) => status === 'rejected').length, 2);
  await failsWith('rate_limited', check('nobody', 'x', '10.9.9.9'));
  clock.at += 360_000;
  assert.equal(await check('nobody', 'x', '10.9.9.9'), null);
});

it('pages through the audit log', async (t) => {
  const { accounts } = await openTestAccounts(t);
  for (const id of ['a', 'b', 'c']) await accounts.ensureUser(OPERATOR, { id });
  const first = await accounts.listAudit(OPERATOR, { limit: 2 });
  assert.deepEqual(
    first.items.map(({ subject }) => subject),
    ['user:c', 'user:b'],
  );
  const second = await accounts.listAudit(OPERATOR, { limit: 2, cursor: first.cursor! });
  assert.deepEqual([second.items.map(({ subject }) => subject), second.cursor], [['user:a'], null]);
  await failsWith('invalid_cursor', accounts.listAudit(OPERATOR, { cursor: 'x' }));
});

it('brings nobody back who was removed, unless that is said', async (t) => {
  const { accounts, person, clock } = await openTestAccounts(t);
  await person('ann');
  await accounts.removeUser(OPERATOR, 'ann');
  for (const wanted of [{ id: 'ann' }, { email: 'ann@example.org' }, { id: 'ann', email: 'other@example.org' }])
    await failsWith('conflict', accounts.ensureUser(OPERATOR, wanted), /was removed/);
  for (const user of ['ann', 'ann@example.org']) {
    await failsWith('not_found', accounts.issueToken(OPERATOR, { name: 'laptop', user }), /was removed/);
    await failsWith('not_found', accounts.setPassword(OPERATOR, user, 'four unrelated words'), /was removed/);
  }
  clock.at += 5;
  const back = await accounts.ensureUser(OPERATOR, { email: 'ann@example.org', again: true });
  assert.deepEqual([back.created, back.user.id], [true, 'ann']);
  await accounts.issueToken(OPERATOR, { name: 'laptop', user: 'ann' });
});

it('does not use an id again after a purge, but lets the same person begin anew', async (t) => {
  const { accounts, person, store } = await openTestAccounts(t);
  await person('ann');
  await accounts.removeUser(OPERATOR, 'ann@example.org', { purge: true });
  assert.deepEqual(
    (await store.listRemovals()).map(({ id }) => id),
    ['ann'],
  );
  await failsWith('conflict', accounts.ensureUser(OPERATOR, { id: 'ann', again: true }), /not used again/);
  const { user } = await accounts.ensureUser(OPERATOR, { email: 'ann@example.org', again: true });
  assert.match(user.id, /^user_/);
});

it('asks for a purge of somebody who was removed before', async (t) => {
  const { accounts, person, store } = await openTestAccounts(t);
  await person('ann');
  await accounts.removeUser(OPERATOR, 'ann');
  await failsWith('not_found', accounts.removeUser(OPERATOR, 'ann'), /was removed/);
  assert.equal(await accounts.removeUser(OPERATOR, 'ann@example.org', { purge: true }), 'ann');
  assert.equal((await store.listRemovals()).length, 1);
  await failsWith('not_found', accounts.removeUser(OPERATOR, 'nobody', { purge: true }));
});

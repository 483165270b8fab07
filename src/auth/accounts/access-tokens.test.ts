import assert from 'node:assert/strict';
import { it } from 'node:test';
import { boundTo, failsWith, makePerson, openTestAccounts } from '../../../test/open-test-accounts.ts';
import { OPERATOR } from '../accounts.ts';

it('gives the operator tokens for anybody, and its own for the owner, so that all of them see the same', async (t) => {
  const { accounts, store, person } = await openTestAccounts(t);
  await person('ann');
  const laptop = await accounts.issueToken(OPERATOR, { name: 'laptop' });
  const ci = await accounts.issueToken(OPERATOR, {
    name: 'ci',
    scopes: ['read', 'admin'],
    agent: 'bot',
    expiresAt: 1_900_000_000_000,
  });
  assert.deepEqual([laptop.token.userId, ci.token.userId], ['owner', 'owner']);
  assert.deepEqual(laptop.token.scopes, ['read', 'write']);
  assert.deepEqual(
    [ci.token.scopes, ci.token.agent, ci.token.expiresAt],
    [['read', 'admin'], 'bot', 1_900_000_000_000],
  );
  assert.equal((await store.listUsers())[0]?.id, 'ann');
  assert.equal((await accounts.issueToken(OPERATOR, { name: 'x', user: 'ann@example.org' })).token.userId, 'ann');
  await failsWith('not_found', accounts.issueToken(OPERATOR, { name: 'x', user: 'nobody' }));
  await failsWith('invalid_input', accounts.issueToken(OPERATOR, { name: 'x', expiresAt: 5 }));
  await failsWith('invalid_input', accounts.issueToken(OPERATOR, { name: ' ' }));
  await failsWith('invalid_input', accounts.issueToken(OPERATOR, { name: 'x', scopes: [] }));
  assert.doesNotMatch(
    JSON.stringify([await store.listTokens(), await accounts.listAudit(OPERATOR)]),
    new RegExp(laptop.value),
  );
});

it('lets nobody give more than they have', async (t) => {
  const { accounts, person, clock } = await openTestAccounts(t);
  const [ann, bob] = [await person('ann'), await person('bob')];
  assert.deepEqual((await accounts.issueToken(ann, { name: 'a' })).token.scopes, ['read', 'write']);
  await failsWith('forbidden', accounts.issueToken(ann, { name: 'a', scopes: ['read', 'admin'] }));
  await failsWith('forbidden', accounts.issueToken(ann, { name: 'a', user: 'bob' }));
  await failsWith('forbidden', accounts.issueToken(makePerson('ann', ['read']), { name: 'a' }));
  await failsWith('not_found', accounts.issueToken(ann, { name: 'a', team: 'nowhere' }));

  const { id } = await accounts.createTeam(bob, 'ops');
  await accounts.createTeam(bob, 'web');
  const bound = boundTo(bob, id);
  assert.equal((await accounts.issueToken(bound, { name: 'b' })).token.teamId, id);
  await failsWith('not_found', accounts.issueToken(bound, { name: 'b', team: 'web' }));

  const short = await accounts.issueToken(ann, { name: 'short', expiresAt: clock.now() + 1000, agent: 'bot' });
  const child = await accounts.issueToken(
    { ...ann, credential: { kind: 'personal', id: short.token.id } },
    { name: 'child', agent: 'other' },
  );
  assert.deepEqual([child.token.expiresAt, child.token.agent], [clock.now() + 1000, 'bot']);
});

it('gives no lasting token to what was let in for a while', async (t) => {
  const { accounts, person } = await openTestAccounts(t);
  const ann = await person('ann');
  for (const kind of ['oauth', 'file'] as const) {
    const passing = { ...ann, credential: { kind, id: 'x' } };
    await failsWith('forbidden', accounts.issueToken(passing, { name: 'a' }));
    await failsWith('forbidden', accounts.revokeToken(passing, 'a'));
  }
  const trusted = { ...makePerson('ann', ['read', 'write', 'admin']), credential: { kind: 'oauth', id: 'x' } as const };
  assert.equal((await accounts.issueToken(trusted, { name: 'a' })).token.userId, 'ann');
});

it('shows everybody their own tokens, and the operator all of them', async (t) => {
  const { accounts, person, clock } = await openTestAccounts(t);
  const [ann, bob] = [await person('ann'), await person('bob')];
  await accounts.issueToken(ann, { name: 'of ann' });
  clock.at += 1;
  await accounts.issueToken(bob, { name: 'of bob' });
  const names = async (asker: Parameters<typeof accounts.listTokens>[0]) =>
    (await accounts.listTokens(asker)).map(({ name }) => name);
  assert.deepEqual(await names(ann), ['of ann']);
  assert.deepEqual(await names(OPERATOR), ['of ann', 'of bob']);
  assert.deepEqual(await names(makePerson('owner', ['read', 'admin'])), ['of ann', 'of bob']);
  assert.deepEqual(await names(makePerson('owner', ['read', 'write'])), []);
});

it('revokes by the beginning of an id, as long as no other begins so', async (t) => {
  const { accounts, person } = await openTestAccounts(t);
  const ann = await person('ann');
  const made = await accounts.issueToken(ann, { name: 'laptop' });
  await failsWith('not_found', accounts.revokeToken(ann, made.token.id.slice(0, 8)));
  assert.equal((await accounts.revokeToken(ann, made.token.id.slice(0, 14))).id, made.token.id);
});

it('revokes by id, or by a name that means one token', async (t) => {
  const { accounts, person, clock } = await openTestAccounts(t);
  const [ann, bob] = [await person('ann'), await person('bob')];
  const one = await accounts.issueToken(ann, { name: 'laptop' });
  const two = await accounts.issueToken(ann, { name: 'laptop' });
  await failsWith('conflict', accounts.revokeToken(ann, 'laptop'));
  await failsWith('not_found', accounts.revokeToken(bob, one.token.id));
  assert.equal((await accounts.revokeToken(ann, one.token.id)).revokedAt, clock.now());
  assert.equal((await accounts.revokeToken(ann, 'laptop')).id, two.token.id);
  const first = clock.now();
  clock.at += 1000;
  assert.equal((await accounts.revokeToken(OPERATOR, one.token.id)).revokedAt, first);
  await failsWith('not_found', accounts.revokeToken(ann, 'nothing'));
  const reader = await accounts.issueToken(ann, { name: 'reader', scopes: ['read'] });
  const itself = { ...makePerson('ann', ['read']), credential: { kind: 'personal', id: reader.token.id } as const };
  await failsWith('forbidden', accounts.revokeToken(itself, two.token.id));
  assert.notEqual((await accounts.revokeToken(itself, reader.token.id)).revokedAt, null);
});

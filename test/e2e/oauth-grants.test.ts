import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { OPERATOR } from '../../src/auth/accounts.ts';
import { makePkce, openOAuthTest, PASSWORD, REDIRECT } from '../oauth/open-oauth-test.ts';
import { makePerson } from '../open-test-accounts.ts';

const oauth = await openOAuthTest();
after(() => oauth.close());

interface Grant {
  id: string;
  name: string;
  redirect_host: string;
  scopes: string[];
  team_id: string | null;
}

async function grantsFor(token: string): Promise<Grant[]> {
  const response = await fetch(`${oauth.url}/api/v1/grants`, { headers: { authorization: `Bearer ${token}` } });
  return ((await response.json()) as { grants: Grant[] }).grants;
}

async function disconnect(token: string, id: string): Promise<number> {
  return (
    await fetch(`${oauth.url}/api/v1/grants/${id}`, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } })
  ).status;
}

async function tokenOf(userId: string, name = 'laptop'): Promise<string> {
  return (
    await oauth.accounts.issueToken(makePerson(userId, ['read', 'write', 'admin']), { name, scopes: ['read', 'write'] })
  ).value;
}

test('a person sees the programs they let in, and puts one out at once', async () => {
  const [ada, bob] = [await tokenOf('ada'), await tokenOf('bob')];
  const [first, second] = [await oauth.connect(), await oauth.connect({ scope: 'read', fields: { scope: 'read' } })];
  const grants = await grantsFor(ada);
  assert.deepEqual(
    grants.map(({ name, redirect_host, scopes, team_id }) => ({ name, redirect_host, scopes, team_id })),
    [
      { name: 'Probe', redirect_host: '127.0.0.1:7777', scopes: ['read'], team_id: null },
      { name: 'Probe', redirect_host: '127.0.0.1:7777', scopes: ['read', 'write'], team_id: null },
    ],
  );
  assert.deepEqual(await grantsFor(bob), []);
  assert.equal(await disconnect(bob, grants[1]!.id), 404);
  assert.equal(await disconnect(ada, 'unknown'), 404);
  assert.equal(await disconnect(ada, grants[1]!.id), 204);
  assert.equal(await oauth.read(first.access_token), 401);
  assert.equal(
    (await oauth.token({ grant_type: 'refresh_token', client_id: first.client_id, refresh_token: first.refresh_token }))
      .error,
    'invalid_grant',
  );
  assert.equal(await oauth.read(second.access_token), 200);
  assert.equal((await grantsFor(ada)).length, 1);
});

test('a program sees and disconnects nothing but itself', async () => {
  const [one, other] = [await oauth.connect({ person: 'bob' }), await oauth.connect({ person: 'bob' })];
  const seen = await grantsFor(one.access_token);
  assert.equal(seen.length, 1);
  const [foreign] = await grantsFor(other.access_token);
  assert.equal(await disconnect(one.access_token, foreign!.id), 404);
  assert.equal(await disconnect(one.access_token, seen[0]!.id), 204);
  assert.equal(await oauth.read(one.access_token), 401);
  assert.equal(await oauth.read(other.access_token), 200);
});

test('what was given away with a token ends with the token', async () => {
  const token = await tokenOf('ada', 'borrowed');
  const { client_id } = await oauth.register();
  const { verifier, challenge } = makePkce();
  const browser = oauth.browser();
  const page = await browser.visit(oauth.authorizeUrl({ client_id, code_challenge: challenge }));
  const question = await browser.submit(page, { action: 'token', token });
  const { url } = await browser.submit(question, { action: 'allow', scope: 'read', space: '' });
  const code = new URL(url).searchParams.get('code')!;
  const fields = { grant_type: 'authorization_code', client_id, code, code_verifier: verifier, redirect_uri: REDIRECT };
  const { access_token } = await oauth.token(fields);
  assert.equal(await oauth.read(access_token), 200);
  await oauth.accounts.revokeToken(makePerson('ada', ['read', 'write', 'admin']), 'borrowed');
  assert.equal(await oauth.read(access_token), 401);
  assert.match(
    (await browser.visit(oauth.authorizeUrl({ client_id, code_challenge: challenge }))).html,
    /name="login"/,
  );
});

test('a new password ends the sessions of the old one', async () => {
  const eve = await oauth.addPerson('eve');
  const { client_id } = await oauth.register();
  const request = { client_id, code_challenge: makePkce().challenge };
  const { page, browser } = await oauth.signIn(request, 'eve');
  assert.match(page.html, /eve@example\.org/);
  await oauth.accounts.setPassword(OPERATOR, eve, 'another four word sentence');
  assert.match((await browser.submit(page, { action: 'allow', scope: 'read', space: '' })).html, /Sign in first/);
  assert.match((await browser.visit(oauth.authorizeUrl(request))).html, /name="login"/);
});

test('a new password puts out the programs that the old one let in, and no others', async () => {
  const fay = await oauth.addPerson('fay');
  const [first, token] = [await oauth.connect({ person: 'fay' }), await tokenOf(fay)];
  const { client_id } = await oauth.register();
  const { verifier, challenge } = makePkce();
  const browser = oauth.browser();
  const question = await browser.submit(
    await browser.visit(oauth.authorizeUrl({ client_id, code_challenge: challenge })),
    { action: 'token', token },
  );
  const { url } = await browser.submit(question, { action: 'allow', scope: 'read', space: '' });
  const code = new URL(url).searchParams.get('code')!;
  const byToken = await oauth.token({
    grant_type: 'authorization_code',
    client_id,
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT,
  });
  const change = (bearer: string, body: object) =>
    fetch(`${oauth.url}/api/v1/password`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const password = 'another four word sentence';
  assert.equal((await change(token, { password })).status, 403);
  assert.equal((await change(token, { password, current_password: 'not what it was' })).status, 403);
  assert.equal((await change(token, { password: 'short', current_password: PASSWORD })).status, 400);
  assert.equal(await oauth.read(first.access_token), 200);
  assert.equal((await change(token, { password, current_password: PASSWORD })).status, 204);
  assert.equal(await oauth.read(first.access_token), 401);
  assert.equal(await oauth.read(byToken.access_token), 200);
  assert.equal(await oauth.read(token), 200);
  assert.equal((await oauth.accounts.checkPassword('fay', PASSWORD, '198.51.100.7')) === null, true);
  assert.equal((await oauth.accounts.checkPassword('fay', password, '198.51.100.7'))?.id, fay);
});

test('letting a program in and putting it out are in the audit log, whoever does it', async () => {
  const log = async () =>
    (await oauth.accounts.listAudit(OPERATOR, { limit: 20 })).items.map(({ op, actor, subject }) => ({
      op,
      actor,
      subject,
    }));
  const [given, disconnected] = [await oauth.connect({ person: 'bob' }), await oauth.connect({ person: 'bob' })];
  const bob = await tokenOf('bob');
  const [latest] = await grantsFor(bob);
  assert.equal((await log()).filter(({ op, actor }) => op === 'add_grant' && actor === 'bob').length >= 2, true);
  await disconnect(bob, latest!.id);
  assert.deepEqual((await log())[0], { op: 'remove_grant', actor: 'bob', subject: `grant:${latest!.id}` });
  assert.equal(await oauth.read(disconnected.access_token), 401);
  for (let i = 0; i < 2; i++) {
    const body = new URLSearchParams({ token: given.refresh_token, client_id: given.client_id });
    assert.equal((await fetch(`${oauth.url}/oauth/revoke`, { method: 'POST', body })).status, 200);
  }
  const [last, before] = await log();
  assert.deepEqual([last?.op, last?.actor, before?.op], ['remove_grant', 'oauth', 'remove_grant']);
  assert.equal(before?.actor, 'bob', 'revoking again adds no line');
});

test('scopes that are not ours are left out, and a client that names none of ours gets the usual ones', async () => {
  const { client_id } = await oauth.register();
  const asked = async (scope: string | undefined) => {
    const { page } = await oauth.signIn({ client_id, code_challenge: makePkce().challenge, scope }, 'bob');
    return [...page.html.matchAll(/name="scope" value="(\w+)"/g)].map((match) => match[1]);
  };
  assert.deepEqual(await asked(undefined), ['read', 'write']);
  assert.deepEqual(await asked('openid profile'), ['read', 'write']);
  assert.deepEqual(await asked('openid admin read'), ['read', 'admin']);
});

test('pages of an allowed origin may discover and fetch tokens, no others may', async () => {
  const origin = 'http://localhost:6274';
  const open = await openOAuthTest({ 'allowed-origins': origin });
  try {
    for (const path of ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-authorization-server']) {
      const response = await fetch(`${open.url}${path}`, { headers: { origin } });
      assert.deepEqual([response.status, response.headers.get('access-control-allow-origin')], [200, origin]);
      assert.equal((await fetch(`${open.url}${path}`, { headers: { origin: 'https://evil.example' } })).status, 403);
    }
    const headers = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    const before = await fetch(`${open.url}/oauth/token`, { method: 'OPTIONS', headers });
    assert.deepEqual([before.status, before.headers.get('access-control-allow-methods')], [204, 'GET, POST']);
    const { client_id } = await open.register();
    const body = new URLSearchParams({ grant_type: 'refresh_token', client_id, refresh_token: 'x' });
    const refused = await fetch(`${open.url}/oauth/token`, { method: 'POST', body, headers: { origin } });
    assert.equal(((await refused.json()) as { error: string }).error, 'invalid_grant');
    assert.equal(refused.headers.get('access-control-allow-origin'), origin);
  } finally {
    await open.close();
  }
});

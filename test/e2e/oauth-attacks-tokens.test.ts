import assert from 'node:assert/strict';
import { createHmac, createPublicKey, type JsonWebKey } from 'node:crypto';
import { after, test } from 'node:test';
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { OPERATOR } from '../../src/auth/accounts.ts';
import { ROUTES } from '../../src/rest/route-table.ts';
import { createTools } from '../../src/server/create-tools.ts';
import { createCodeFlow } from '../oauth/code-flow.ts';
import { openOAuthTest } from '../oauth/open-oauth-test.ts';
import { makePerson } from '../open-test-accounts.ts';

const oauth = await openOAuthTest({ 'mcp-sessions': 'true' });
after(() => oauth.close());
const first = await oauth.register();
const second = await oauth.register({ client_name: 'Second' });
const { getCode, redeem, refresh, isDead } = createCodeFlow(oauth, first.client_id);

test('attack 3: a code that is used again ends everything it gave', async () => {
  const code = await getCode();
  const tokens = await redeem(code);
  assert.equal(await oauth.read(tokens.access_token), 200);
  assert.equal((await redeem(code)).error, 'invalid_grant');
  assert.ok(await isDead(tokens.access_token));
  assert.equal((await refresh(tokens.refresh_token)).error, 'invalid_grant');
});

test('attack 4: a code is good for its client and its address alone', async () => {
  const code = await getCode();
  assert.equal((await redeem(code, { client_id: second.client_id })).error, 'invalid_grant');
  assert.equal((await redeem(code, { redirect_uri: 'http://127.0.0.1:7778/callback' })).error, 'invalid_grant');
  assert.equal((await redeem(code, { redirect_uri: undefined })).status, 400);
  assert.equal((await redeem(code, { client_id: undefined })).error, 'invalid_request');
  assert.equal((await redeem(code)).status, 200);
});

test('attack 5: a code is too old after a minute', async (t) => {
  const [fresh, old] = [await getCode(), await getCode()];
  const now = Date.now();
  t.mock.timers.enable({ apis: ['Date'], now: now + 50_000 });
  assert.equal((await redeem(fresh)).status, 200);
  t.mock.timers.setTime(now + 61_000);
  assert.equal((await redeem(old)).error, 'invalid_grant');
});

test('attack 6: the verifier must be the right one', async () => {
  const code = await getCode();
  for (const code_verifier of [
    undefined,
    '',
    'short',
    'A'.repeat(43),
    code.verifier.slice(0, -1),
    `${code.verifier}A`,
    code.verifier.toUpperCase(),
  ])
    assert.equal((await redeem(code, { code_verifier })).status, 400, String(code_verifier));
  assert.equal((await redeem(code)).status, 200);
});

test('attack 7: a refresh token that is used again ends the whole family at once', async () => {
  const tokens = await redeem(await getCode());
  const next = await refresh(tokens.refresh_token);
  assert.equal(await oauth.read(next.access_token), 200);
  assert.equal((await refresh(tokens.refresh_token)).error, 'invalid_grant');
  assert.ok(await isDead(next.access_token));
  assert.equal((await refresh(next.refresh_token)).error, 'invalid_grant');
});

test('attack 8: a refresh token is good for its client alone', async () => {
  const tokens = await redeem(await getCode());
  assert.equal((await refresh(tokens.refresh_token, { client_id: second.client_id })).error, 'invalid_grant');
  assert.equal((await refresh(tokens.access_token)).error, 'invalid_grant');
  assert.equal((await refresh(tokens.refresh_token)).status, 200);
});

test('attack 9: a refresh cannot ask for more than was allowed, but for less', async () => {
  const tokens = await redeem(await getCode('ada', 'read'));
  assert.equal(tokens.scope, 'read');
  assert.equal((await refresh(tokens.refresh_token, { scope: 'read write' })).error, 'invalid_scope');
  const same = await refresh(tokens.refresh_token);
  assert.equal(await oauth.write(same.access_token), 403);
  const wide = await redeem(await getCode());
  const narrow = await refresh(wide.refresh_token, { scope: 'read' });
  assert.deepEqual([await oauth.read(narrow.access_token), await oauth.write(narrow.access_token)], [200, 403]);
});

test('attack 10: a token is for this server, whatever else shares its database', async () => {
  const code = await getCode();
  assert.equal((await redeem(code, { resource: 'https://evil.example/mcp' })).error, 'invalid_target');
  const tokens = await redeem(await getCode());
  assert.equal((await refresh(tokens.refresh_token, { resource: 'https://evil.example/mcp' })).error, 'invalid_target');
  const other = await openOAuthTest({ db: oauth.db, 'external-url': 'https://other.example.org' });
  try {
    assert.equal(await oauth.read(tokens.access_token), 200);
    assert.equal(await other.read(tokens.access_token), 401);
    assert.ok(other.logged.some(({ event, facts }) => event === 'request_refused' && facts.reason === 'audience'));
  } finally {
    await other.close();
  }
});

test('attack 11: no token can be made up, signed or not', async () => {
  const { keys } = (await (await fetch(`${oauth.url}/oauth/jwks`)).json()) as { keys: JsonWebKey[] };
  assert.ok(keys.every((key) => key.d === undefined));
  const pem = createPublicKey({ key: keys[0]!, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: oauth.url,
    sub: 'ada',
    aud: oauth.url,
    scope: 'read write admin',
    client_id: first.client_id,
    iat: now,
    exp: now + 900,
  };
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const forge = (header: object, more: object, key?: string | Buffer): string => {
    const body = `${part({ typ: 'at+jwt', ...header })}.${part({ ...claims, ...more })}`;
    return `${body}.${key === undefined ? '' : createHmac('sha256', key).update(body).digest('base64url')}`;
  };
  const forged = [
    forge({ alg: 'none' }, {}),
    forge({ alg: 'NONE' }, {}),
    forge({ alg: 'HS256', kid: keys[0]!.kid }, {}, pem),
    forge({ alg: 'HS256', kid: '../../../../dev/null' }, {}, Buffer.alloc(0)),
    forge({ alg: 'HS256', jku: 'http://127.0.0.1:9/jwks' }, {}, 'x'),
    forge({ alg: 'HS256', x5u: 'http://127.0.0.1:9/x5u' }, {}, 'x'),
    forge({ alg: 'ES256' }, { exp: now - 61 }, 'x'),
    forge({ alg: 'ES256' }, { nbf: now + 61 }, 'x'),
    'A'.repeat(43),
    `${'A'.repeat(42)}'`,
  ];
  for (const token of forged) assert.ok(await isDead(token), token);
});

test('attack 12: a token in an address or a body is no token', async () => {
  const { access_token } = await redeem(await getCode());
  for (const path of ['/api/v1/memories', '/mcp', '/mcp/sse'])
    for (const name of ['access_token', 'token', 'api_key', 'bearer']) {
      assert.equal((await fetch(`${oauth.url}${path}?${name}=${access_token}`)).status, 401, `${path} ${name}`);
      assert.equal(
        (await fetch(`${oauth.url}${path}`, { method: 'POST', body: new URLSearchParams({ [name]: access_token }) }))
          .status,
        401,
      );
    }
  assert.equal(await oauth.read(access_token), 200);
});

test('attack 20: a token for reading writes nothing, over REST and over MCP', async () => {
  const { access_token } = await redeem(await getCode('ada', 'read'));
  const headers = { authorization: `Bearer ${access_token}` };
  for (const { method, path, action } of ROUTES.filter((route) => route.action !== 'read')) {
    const url = `${oauth.url}/api/v1${path.replaceAll(/\{\w+\}/g, '0000000000000000000a')}`;
    const { status } = await fetch(url, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(method !== 'GET' && { body: '{}' }),
    });
    assert.equal(status, 403, `${method} ${path} (${action})`);
  }
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'memory_store', arguments: { content: 'x' } },
  };
  const accept = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-protocol-version': '2025-06-18',
  };
  const told = await fetch(`${oauth.url}/mcp`, {
    method: 'POST',
    headers: { ...headers, ...accept },
    body: JSON.stringify(call),
  });
  assert.equal(told.status, 403);
  assert.match(told.headers.get('www-authenticate') ?? '', /^Bearer .*error="insufficient_scope", scope="read write"/);
  const requestInit = { headers };
  for (const transport of [
    new StreamableHTTPClientTransport(new URL(`${oauth.url}/mcp`), { requestInit }),
    new SSEClientTransport(new URL(`${oauth.url}/mcp/sse`), { requestInit }),
  ]) {
    const client = new Client({ name: 'probe', version: '1' });
    await client.connect(transport);
    for (const { name } of (await createTools()).tools.filter((tool) => tool.action !== 'read')) {
      await assert.rejects(client.callTool({ name, arguments: {} }), /403|Insufficient scope/, name);
    }
    await client.close();
  }
  assert.equal(
    (
      await fetch(`${oauth.url}/api/v1/memories`, { headers }).then(
        (response) => response.json() as Promise<{ memories: unknown[] }>,
      )
    ).memories.length,
    0,
  );
});

test('attack 21: what was given to a program ends with the person, the membership and the team', async () => {
  const eve = await oauth.addPerson('eve');
  const suspended = await oauth.connect({ person: 'eve' });
  assert.equal(await oauth.read(suspended.access_token), 200);
  await oauth.accounts.suspendUser(OPERATOR, eve, true);
  assert.ok(await isDead(suspended.access_token));
  assert.equal(
    (
      await oauth.token({
        grant_type: 'refresh_token',
        client_id: suspended.client_id,
        refresh_token: suspended.refresh_token,
      })
    ).error,
    'invalid_grant',
  );
  await oauth.accounts.suspendUser(OPERATOR, eve, false);

  const team = await oauth.accounts.createTeam(makePerson('eve', ['read', 'write', 'admin']), 'orchard');
  const inTeam = await oauth.connect({ person: 'eve', fields: { space: team.id } });
  assert.equal(await oauth.read(inTeam.access_token), 200);
  await oauth.accounts.removeTeam(makePerson('eve', ['read', 'write', 'admin']), 'orchard');
  assert.notEqual(await oauth.read(inTeam.access_token), 200);

  const removed = await oauth.connect({ person: 'eve' });
  await oauth.accounts.removeUser(OPERATOR, eve);
  assert.ok(await isDead(removed.access_token));
  assert.equal(
    (
      await oauth.token({
        grant_type: 'refresh_token',
        client_id: removed.client_id,
        refresh_token: removed.refresh_token,
      })
    ).error,
    'invalid_grant',
  );
});

test('attack 22: revoking works, works twice, and works for nobody else', async () => {
  const revoke = async (token: string, client_id: string) =>
    (await fetch(`${oauth.url}/oauth/revoke`, { method: 'POST', body: new URLSearchParams({ token, client_id }) }))
      .status;
  const tokens = await redeem(await getCode());
  await revoke(tokens.refresh_token, second.client_id);
  await revoke(tokens.access_token, second.client_id);
  assert.equal(await oauth.read(tokens.access_token), 200);
  assert.equal(await revoke(tokens.refresh_token, first.client_id), 200);
  assert.ok(await isDead(tokens.access_token));
  assert.equal((await refresh(tokens.refresh_token)).error, 'invalid_grant');
  assert.equal(await revoke(tokens.refresh_token, first.client_id), 200);
  assert.equal(await revoke('unknown', first.client_id), 200);
  const again = await redeem(await getCode());
  assert.equal(await revoke(again.access_token, first.client_id), 200);
  assert.ok(await isDead(again.access_token));
});

test("attack 23: another person's MCP session is not found", async () => {
  const [ada, bob] = [await redeem(await getCode('ada')), await redeem(await getCode('bob'))];
  const send = (token: string, message: object, session?: string) =>
    fetch(`${oauth.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session !== undefined && { 'mcp-session-id': session }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    });
  const clientInfo = { name: 'probe', version: '1' };
  const opened = await send(ada.access_token, {
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
  });
  await opened.text();
  const session = opened.headers.get('mcp-session-id')!;
  assert.ok(session);
  const own = await send(ada.access_token, { method: 'tools/list' }, session);
  assert.equal(own.status, 200);
  await own.text();
  const foreign = await send(bob.access_token, { method: 'tools/list' }, session);
  assert.equal(foreign.status, 404);
  const closed = await fetch(`${oauth.url}/mcp`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${bob.access_token}`, 'mcp-session-id': session },
  });
  assert.equal(closed.status, 404);
});

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, type TestContext, test } from 'node:test';
import { fetchClientDocument } from '../../src/auth/oauth/fetch-client-document.ts';
import { createRegistrationGuard } from '../../src/auth/oauth/registration-guard.ts';
import { makePkce, openOAuthTest, REDIRECT } from '../oauth/open-oauth-test.ts';
import { sendDocument, serveDocument } from '../oauth/serve-document.ts';

const oauth = await openOAuthTest();
after(() => oauth.close());
const documents = await serveDocument((path, response, url) => {
  const client = { client_id: `${url}${path}`, client_name: 'Documented', redirect_uris: [REDIRECT] };
  if (path === '/large') return sendDocument(response, { ...client, padding: 'x'.repeat(70_000) });
  if (path === '/moved') return void response.writeHead(302, { location: `${url}/client` }).end();
  if (path === '/script') return sendDocument(response, { ...client, redirect_uris: ['javascript:alert(1)'] });
  if (path === '/other') return sendDocument(response, { ...client, client_id: `${url}/client` });
  if (path === '/secret')
    return sendDocument(response, { ...client, token_endpoint_auth_method: 'client_secret_basic' });
  if (path === '/text') return void response.end('hello');
  if (path === '/none') return void response.writeHead(404).end();
  return sendDocument(response, client);
});
after(() => documents.close());
const { challenge: code_challenge } = makePkce();

/** Nobody may do more merely because the machine is slow. */
function standStill(t: TestContext): void {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
}

/** A request as one sends it who names the server in another way than by its address. */
function ask(
  url: string,
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; text: string; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    request(`${url}${path}`, { headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
    })
      .on('error', reject)
      .end();
  });
}

test('attack 16: the server reads no client document from inside a network', async () => {
  const hosts =
    `127.0.0.1 127.1 2130706433 0x7f000001 0177.0.0.1 0.0.0.0 0 localhost localhost. 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1
    169.254.169.254 100.64.0.1 198.18.0.1 192.0.2.1 203.0.113.7 224.0.0.1 240.0.0.1 255.255.255.255 [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1]
    [::ffff:10.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::1] [fe80::1] [fc00::1] [fd00:ec2::254] [ff02::1] [2001:db8::1] [2001::1] [2002:7f00:1::] [100::1]`.split(
      /\s+/,
    );
  const before = documents.connections();
  const { port } = new URL(documents.url);
  for (const host of hosts) {
    const url = `https://${host}:${port}/client`;
    await assert.rejects(
      fetchClientDocument(url, { allowLoopback: false }),
      /public address|ENOTFOUND|EAI_AGAIN|Invalid URL/,
      host,
    );
  }
  for (const url of ['http://example.org/c', 'file:///etc/passwd', 'gopher://x/', 'https://user@example.org/c'])
    await assert.rejects(fetchClientDocument(url, { allowLoopback: true }), /https only|Invalid URL/, url);
  const page = await oauth
    .browser()
    .visit(oauth.authorizeUrl({ client_id: `${documents.url}/client`, code_challenge }));
  assert.equal(page.status, 400);
  assert.equal(documents.connections(), before);
});

test('attack 16: a document that is large, elsewhere, or of another is refused', async () => {
  const open = await openOAuthTest({ 'oauth-loopback-clients': 'true' });
  try {
    for (const path of [
      '/large',
      '/moved',
      '/script',
      '/other',
      '/secret',
      '/text',
      '/none',
      '/a/../client',
      '/client#x',
    ]) {
      const page = await open
        .browser()
        .visit(open.authorizeUrl({ client_id: `${documents.url}${path}`, code_challenge }));
      assert.equal(page.status, 400, path);
    }
    assert.match(
      (await open.browser().visit(open.authorizeUrl({ client_id: `${documents.url}/client`, code_challenge }))).html,
      /name="login"/,
    );
    const fragment = await open.browser().visit(
      open.authorizeUrl({
        client_id: `${documents.url}/client`,
        code_challenge,
        redirect_uri: 'http://127.0.0.1:7777/else',
      }),
    );
    assert.equal(fragment.status, 400);
  } finally {
    await open.close();
  }
});

test('attack 19: one address registers twenty clients an hour, and all together only so many', async (t) => {
  standStill(t);
  const flooded = await openOAuthTest();
  try {
    for (let i = 0; i < 21; i++)
      assert.equal((await flooded.register({ redirect_uris: ['javascript:x'] })).status, 400, 'counts for nothing');
    for (let i = 0; i < 20; i++) assert.equal((await flooded.register()).status, 201);
    assert.equal((await flooded.register()).status, 429);
    const full = createRegistrationGuard({ store: flooded.store, clock: { now: () => Date.now() }, maxUnused: 20 });
    assert.equal((await full.check('10.0.0.1'))?.status, 503);
    const tomorrow = createRegistrationGuard({
      store: flooded.store,
      clock: { now: () => Date.now() + 86_400_001 },
      maxUnused: 20,
    });
    assert.equal(await tomorrow.check('10.0.0.1'), null);
    assert.equal(await flooded.store.countArtifacts('Client'), 0);
  } finally {
    await flooded.close();
  }
});

test('attack 19: a client that nobody lets in is forgotten after a day, one that somebody did is kept', async (t) => {
  const [unused, used] = [await oauth.register(), await oauth.register()];
  await oauth.allow({ client_id: used.client_id, code_challenge }, 'ada');
  const page = async (client_id: string) =>
    (await oauth.browser().visit(oauth.authorizeUrl({ client_id, code_challenge }))).status;
  assert.deepEqual([await page(unused.client_id), await page(used.client_id)], [200, 200]);
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 86_401_000 });
  assert.deepEqual([await page(unused.client_id), await page(used.client_id)], [400, 200]);
});

test('attack 25: over plain HTTP there is no OAuth but on this machine, and tokens work all the same', async () => {
  const named = await openOAuthTest({ 'external-url': 'http://memory.example.org' });
  const open = await openOAuthTest({ host: '0.0.0.0', 'allowed-hosts': 'memory.example.org' });
  const paths = [
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource',
    '/.well-known/openid-configuration/mcp',
  ];
  try {
    for (const [server, host] of [
      [named, new URL(named.url).host],
      [open, 'memory.example.org'],
    ] as const) {
      for (const path of paths) assert.equal((await ask(server.url, path, { host })).status, 404, path);
      assert.equal((await ask(server.url, '/oauth/authorize?client_id=x', { host })).status, 401);
      assert.doesNotMatch(
        String((await ask(server.url, '/mcp', { host })).headers['www-authenticate']),
        /resource_metadata/,
      );
      assert.equal(
        (await ask(server.url, '/api/v1/memories', { host, authorization: `Bearer ${server.ownerToken}` })).status,
        200,
      );
    }
    assert.ok(open.logged.some(({ event }) => event === 'plain_http'));
    assert.equal((await ask(open.url, paths[0]!, {})).status, 200);
  } finally {
    await named.close();
    await open.close();
  }
});

test('behind TLS the addresses are the outside ones, and cookies are bound to the host', async () => {
  const behind = await openOAuthTest({
    'external-url': 'https://memory.example.org',
    'allowed-hosts': 'memory.example.org',
  });
  const host = 'memory.example.org';
  try {
    const { text } = await ask(behind.url, '/.well-known/oauth-authorization-server', { host });
    assert.match(text, /"issuer":"https:\/\/memory\.example\.org"/);
    assert.match(text, /"token_endpoint":"https:\/\/memory\.example\.org\/oauth\/token"/);
    const resource = await ask(behind.url, '/.well-known/oauth-protected-resource/mcp', { host });
    assert.match(resource.text, /"resource":"https:\/\/memory\.example\.org\/mcp"/);
    const { client_id } = await behind.register();
    const query = new URL(
      behind.authorizeUrl({ client_id, code_challenge, resource: 'https://memory.example.org/mcp' }),
    ).search;
    const asked = await ask(behind.url, `/oauth/authorize${query}`, { host });
    const cookies = [asked.headers['set-cookie']].flat().map(String);
    assert.equal(asked.status, 303);
    for (const cookie of cookies)
      assert.match(cookie, /^__(Host|Secure)-ltm_\w+(\.sig)?=.*; path=\/.*; secure; httponly/i);
    const device = await ask(behind.url, '/oauth/device', { host });
    assert.match(
      [device.headers['set-cookie']].flat().join('\n'),
      /__Host-ltm_session=[^;]+; path=\/; .*secure; httponly/,
    );
  } finally {
    await behind.close();
  }
});

test('without OAuth nothing of it can be seen', async () => {
  const off = await openOAuthTest({ oauth: 'false' });
  try {
    assert.equal((await fetch(`${off.url}/.well-known/oauth-authorization-server`)).status, 404);
    assert.equal((await fetch(`${off.url}/oauth/register`, { method: 'POST' })).status, 401);
    assert.equal(await off.read(off.ownerToken), 200);
  } finally {
    await off.close();
  }
});

test('one address cannot fill the database with requests that nobody answers', async (t) => {
  standStill(t);
  const flooded = await openOAuthTest();
  try {
    const { client_id } = await flooded.register();
    const url = flooded.authorizeUrl({ client_id, code_challenge });
    const ask = async () => (await fetch(url, { redirect: 'manual' })).status;
    let statuses: number[] = [];
    for (let round = 0; round < 6 && !statuses.includes(429); round++)
      statuses = await Promise.all(Array.from({ length: 200 }, ask));
    assert.ok(statuses.includes(429));
    assert.ok((await flooded.store.countArtifacts('Interaction')) <= 1200);
  } finally {
    await flooded.close();
  }
});

test('codes of devices cannot be tried at will', async (t) => {
  standStill(t);
  const browser = oauth.browser();
  const page = await browser.visit(`${oauth.url}/oauth/device`);
  let last = page;
  for (let tries = 0; tries < 11; tries++) last = await browser.submit(page, { user_code: 'BBBB-BBBB' });
  assert.equal(last.status, 429);
  assert.ok(Number(last.headers.get('retry-after')) > 0);
});

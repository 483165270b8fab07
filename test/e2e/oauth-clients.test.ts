import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { type MemoryProvider, makeProvider } from '../oauth/memory-provider.ts';
import { makePkce, type OAuthTest, openOAuthTest, PASSWORD, REDIRECT } from '../oauth/open-oauth-test.ts';
import { sendDocument, serveDocument } from '../oauth/serve-document.ts';
import { openTestBrowser } from '../oauth/test-browser.ts';
import { makePerson } from '../open-test-accounts.ts';
import { PLAIN_ENV, PROGRAM } from './program.ts';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const oauth = await openOAuthTest({ 'oauth-loopback-clients': 'true' });
after(() => oauth.close());

/** As a person would: the client sends the browser somewhere, they sign in and allow. */
async function allowInBrowser(test: OAuthTest, provider: MemoryProvider, person = 'ada'): Promise<URLSearchParams> {
  const browser = test.browser();
  const page = await browser.visit(provider.kept.sentTo!.href);
  const question = await browser.submit(page, { action: 'password', login: person, password: PASSWORD });
  assert.match(question.html, /Let .* use your memory\?/);
  const { url } = await browser.submit(question, { action: 'allow', scope: ['read', 'write'], space: '' });
  assert.ok(url.startsWith(REDIRECT), url);
  return new URL(url).searchParams;
}

type OAuthTransport = StreamableHTTPClientTransport | SSEClientTransport;

/** From a bare 401 to a tool call. */
async function connectFromNothing(
  test: OAuthTest,
  provider: MemoryProvider,
  open: () => OAuthTransport,
): Promise<void> {
  const first = open();
  await assert.rejects(new Client({ name: 'agent', version: '1' }).connect(first), UnauthorizedError);
  const answer = await allowInBrowser(test, provider);
  assert.equal(answer.get('state'), 'state-of-the-client');
  await first.finishAuth(answer);
  await callTools(open());
}

async function callTools(transport: OAuthTransport): Promise<void> {
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(transport);
  const stored = await client.callTool({
    name: 'memory_store',
    arguments: { content: `The harbour light is green. ${Math.random()}` },
  });
  assert.notEqual(stored.isError, true);
  const found = await client.callTool({ name: 'memory_search', arguments: { query: 'harbour light' } });
  assert.match(JSON.stringify(found.content), /harbour light is green/);
  await client.close();
}

for (const name of ['127.0.0.1', 'localhost'])
  test(`an MCP client goes from a bare 401 to a tool call by registering itself, at ${name}`, async () => {
    const url = oauth.url.replace('127.0.0.1', name);
    const provider = makeProvider(REDIRECT);
    await connectFromNothing(
      { ...oauth, browser: () => openTestBrowser(url) },
      provider,
      () => new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: provider }),
    );
    assert.match(provider.kept.client!.client_id, /^app_/);
    assert.equal(provider.kept.tokens!.token_type.toLowerCase(), 'bearer');
  });

test('an MCP client of the older transport goes the same way', async () => {
  const provider = makeProvider(REDIRECT);
  await connectFromNothing(
    oauth,
    provider,
    () => new SSEClientTransport(new URL(`${oauth.url}/mcp/sse`), { authProvider: provider }),
  );
});

test('an MCP client with a document of its own need not register', async () => {
  const documents = await serveDocument((path, response, url) =>
    sendDocument(response, {
      client_id: `${url}${path}`,
      client_name: 'Documented agent',
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
    }),
  );
  try {
    const provider = makeProvider(REDIRECT, `${documents.url}/agent.json`);
    await connectFromNothing(
      oauth,
      provider,
      () => new StreamableHTTPClientTransport(new URL(`${oauth.url}/mcp`), { authProvider: provider }),
    );
    assert.equal(provider.kept.client!.client_id, `${documents.url}/agent.json`);
    assert.equal(documents.connections(), 1);
  } finally {
    await documents.close();
  }
});

for (const path of ['/oauth/device_authorization', '/oauth/authorize_device'])
  test(`a device gets in with a code that a person types, asked for at ${path}`, async () => {
    const asked = await fetch(`${oauth.url}${path}`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'ltm-cli', scope: 'read write' }),
      headers: { 'user-agent': 'ltm/9 test' },
    });
    const device = (await asked.json()) as Record<
      'device_code' | 'user_code' | 'verification_uri' | 'verification_uri_complete',
      string
    > & {
      interval: number;
    };
    assert.equal(asked.status, 200);
    assert.match(device.user_code, /^[A-Z]{4}-[A-Z]{4}$/);
    assert.equal(device.interval, 5);
    const poll = () => oauth.token({ grant_type: DEVICE_GRANT, client_id: 'ltm-cli', device_code: device.device_code });
    assert.equal((await poll()).error, 'authorization_pending');

    const browser = oauth.browser();
    const empty = await browser.visit(device.verification_uri);
    assert.match((await browser.submit(empty, { user_code: 'WRNG-CODE' })).html, /This code does not exist/);
    const filled = await browser.visit(device.verification_uri_complete);
    assert.match(filled.html, new RegExp(`value="${device.user_code}"`));
    const signIn = await browser.submit(filled, { user_code: device.user_code.toLowerCase().replace('-', ' ') });
    assert.equal((await poll()).error, 'slow_down', 'asked again within the interval');
    const question = await browser.submit(signIn, { action: 'password', login: 'ada@example.org', password: PASSWORD });
    assert.match(question.html, /Let ltm command line use your memory\?/);
    assert.match(question.html, /ltm\/9 test/);
    assert.match(
      (await browser.submit(question, { action: 'allow', scope: ['read', 'write'], space: '' })).html,
      /is connected/,
    );

    const tokens = await poll();
    assert.equal(tokens.status, 200);
    const { access_token, refresh_token } = tokens;
    await callTools(
      new StreamableHTTPClientTransport(new URL(`${oauth.url}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${access_token}` } },
      }),
    );
    assert.equal((await oauth.token({ grant_type: 'refresh_token', client_id: 'ltm-cli', refresh_token })).status, 200);
    assert.equal((await poll()).error, 'invalid_grant');
    assert.notEqual(await oauth.read(access_token), 200);
  });

test('`ltm auth` signs a terminal in, and its commands then work', async () => {
  const home = mkdtempSync(join(tmpdir(), 'ltm-oauth-home-'));
  const env = { ...PLAIN_ENV, HOME: home, LTM_CONFIG_DIR: home };
  const child = spawn(process.execPath, [PROGRAM, 'auth', oauth.url], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(child, 'exit');
  try {
    while (!/[A-Z]{4}-[A-Z]{4}/.test(said) && child.exitCode === null) await setTimeout(50);
    const browser = oauth.browser();
    const typed = await browser.submit(await browser.visit(`${oauth.url}/oauth/device`), {
      user_code: /[A-Z]{4}-[A-Z]{4}/.exec(said)![0],
    });
    const question = await browser.submit(typed, { action: 'password', login: 'ada', password: PASSWORD });
    await browser.submit(question, { action: 'allow', scope: ['read', 'write'], space: '' });
    assert.equal((await ended)[0], 0, said);
    assert.match(
      execFileSync(process.execPath, [PROGRAM, 'auth', 'whoami'], { env, encoding: 'utf8' }),
      new RegExp(oauth.url),
    );
    const { hosts } = JSON.parse(readFileSync(join(home, 'credentials'), 'utf8')) as {
      hosts: Record<string, { token: string }>;
    };
    const { token } = hosts[oauth.url]!;
    assert.equal(await oauth.read(token), 200);
    // Not by execFileSync: the server that it talks to runs in this process.
    const leaving = spawn(process.execPath, [PROGRAM, 'auth', 'logout', '--json'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let left = '';
    leaving.stdout.on('data', (chunk: Buffer) => (left += chunk.toString()));
    await once(leaving, 'close');
    assert.deepEqual(JSON.parse(left), { host: oauth.url, removed: true, revoked: true });
    assert.equal(await oauth.read(token), 401);
  } finally {
    child.kill();
    rmSync(home, { recursive: true, force: true });
  }
});

test('a device that is refused is told so', async () => {
  const asked = await fetch(`${oauth.url}/oauth/authorize_device`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'ltm-cli' }),
  });
  const device = (await asked.json()) as Record<'device_code' | 'verification_uri_complete', string>;
  const browser = oauth.browser();
  const filled = await browser.visit(device.verification_uri_complete);
  const signIn = await browser.submit(filled, { user_code: /value="(\w{4}-\w{4})"/.exec(filled.html)![1]! });
  const question = await browser.submit(signIn, { action: 'password', login: 'ada', password: PASSWORD });
  assert.match((await browser.submit(question, { action: 'deny' })).html, /The device was not authorized/);
  assert.equal(
    (await oauth.token({ grant_type: DEVICE_GRANT, client_id: 'ltm-cli', device_code: device.device_code })).error,
    'access_denied',
  );
});

test('the callbacks of the well-known clients are accepted', async () => {
  const callbacks = [
    ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
    ['https://chatgpt.com/connector_platform_oauth_redirect'],
    ['https://chatgpt.com/connector/oauth/a1b2c3'],
    ['cursor://anysphere.cursor-mcp/oauth/callback'],
    ['http://127.0.0.1:33418', 'https://vscode.dev/redirect', 'vscode://vscode.github-authentication/did-authenticate'],
    ['http://localhost:3334/oauth/callback'],
    ['com.example.agent:/oauth'],
  ];
  const { challenge } = makePkce();
  const browser = oauth.browser();
  for (const redirect_uris of callbacks) {
    const client = await oauth.register({
      redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'read write',
    });
    assert.equal(client.status, 201, redirect_uris.join());
    for (const redirect_uri of redirect_uris) {
      const { page } = await oauth.signIn(
        { client_id: client.client_id, code_challenge: challenge, redirect_uri },
        'ada',
        browser,
      );
      const { url } = await browser.submit(page, { action: 'allow', scope: 'read', space: '' });
      assert.ok(url.startsWith(redirect_uri) && url.includes('code='), url);
    }
  }
});

test('a client with a secret must show it, and the secret is not kept', async () => {
  const client = await oauth.register({ token_endpoint_auth_method: 'client_secret_post' });
  const { verifier, challenge } = makePkce();
  const code = (await oauth.allow({ client_id: client.client_id, code_challenge: challenge }, 'ada')).get('code')!;
  const fields = {
    grant_type: 'authorization_code',
    client_id: client.client_id,
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT,
  };
  assert.equal((await oauth.token(fields)).error, 'invalid_client');
  assert.equal((await oauth.token({ ...fields, client_secret: 'wrong' })).error, 'invalid_client');
  assert.equal((await oauth.token({ ...fields, client_secret: client.client_secret })).status, 200);
});

test('a person gives what they choose: less than was asked, one team, and with a token no more than it has', async () => {
  const caller = makePerson('bob', ['read', 'write', 'admin']);
  const team = await oauth.accounts.createTeam(caller, 'boats');
  const readOnly = await oauth.connect({ person: 'bob', scope: 'read write admin', fields: { scope: 'read' } });
  assert.equal(readOnly.scope, 'read');
  assert.deepEqual([await oauth.read(readOnly.access_token), await oauth.write(readOnly.access_token)], [200, 403]);

  const inTeam = await oauth.connect({ person: 'bob', fields: { space: team.id } });
  const stored = await fetch(`${oauth.url}/api/v1/memories`, {
    method: 'POST',
    headers: { authorization: `Bearer ${inTeam.access_token}`, 'content-type': 'application/json' },
    body: '{"content":"The boat needs paint."}',
  });
  assert.equal(stored.status, 201);
  const own = await oauth.connect({ person: 'bob' });
  const list = async (token: string, query = '') =>
    (await fetch(`${oauth.url}/api/v1/memories${query}`, { headers: { authorization: `Bearer ${token}` } })).text();
  assert.match(await list(inTeam.access_token), /needs paint/);
  assert.match(await list(own.access_token, '?team=boats'), /needs paint/);

  const { value } = await oauth.accounts.issueToken(caller, { name: 'reader', scopes: ['read'] });
  const { client_id } = await oauth.register();
  const browser = oauth.browser();
  const page = await browser.visit(
    oauth.authorizeUrl({ client_id, code_challenge: makePkce().challenge, scope: 'read write' }),
  );
  const question = await browser.submit(page, { action: 'token', token: value });
  assert.doesNotMatch(question.html, /value="write"/);
  const stays = await browser.submit(question, { action: 'allow', scope: 'write', space: '' });
  assert.match(stays.html, /Choose at least one permission/);
  assert.match(
    (await browser.submit(question, { action: 'allow', scope: 'read', space: 'foreign-team' })).html,
    /You are not in this team/,
  );
  const other = await browser.submit(question, { action: 'switch' });
  assert.match(other.html, /name="login"/);
  const again = await browser.submit(other, { action: 'password', login: 'ada', password: PASSWORD });
  assert.match(again.html, /ada@example\.org/);
});

test('what was allowed outlives the server, and so do keys and clients', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-oauth-restart-'));
  const db = join(folder, 'memory.db');
  const before = await openOAuthTest({ db });
  const { port } = new URL(before.url);
  const provider = makeProvider(REDIRECT);
  const transport = (url: string) =>
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: provider });
  const jwks = async (url: string) => (await fetch(`${url}/oauth/jwks`)).text();
  await connectFromNothing(before, provider, () => transport(before.url));
  const keys = await jwks(before.url);
  await before.close();
  // The pool of connections must notice that the first server is gone.
  await setTimeout(50);
  const again = await openOAuthTest({ db, port });
  try {
    assert.equal(await jwks(again.url), keys);
    await callTools(transport(again.url));
    const spent = provider.kept.tokens!.access_token;
    provider.kept.tokens = { ...provider.kept.tokens!, access_token: 'A'.repeat(43) };
    await callTools(transport(again.url));
    assert.notEqual(provider.kept.tokens!.access_token, spent);
  } finally {
    await again.close();
    rmSync(folder, { recursive: true });
  }
});

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { expectMode } from '../../test/expect-mode.ts';
import { readHost } from '../model/host-name.ts';
import { clientFolder } from '../settings/user-folders.ts';
import {
  credentialsPath,
  findCredential,
  listHosts,
  removeCredential,
  renewCredential,
  saveCredential,
} from './credentials.ts';
import { createServerClient } from './server-client.ts';
import { checkToken, refresh, type SignInPorts, signInByDevice, systemPorts } from './sign-in.ts';

let folder: string;
let env: { LTM_CONFIG_DIR: string; LTM_TOKEN?: string };
const folders: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ltm-client-'));
  folders.push(folder);
  env = { LTM_CONFIG_DIR: join(folder, 'ltm') };
});
after(() => {
  for (const one of folders) rmSync(one, { recursive: true, force: true });
});

/** What the stand-in for a server was asked, and what it answers next. */
let asked: { path: string; authorization: string | undefined; form: URLSearchParams }[] = [];
let answers: { status: number; body: object; headers?: Record<string, string> }[] = [];
let host = '';
const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
  let text = '';
  for await (const part of request) text += part;
  asked.push({
    path: request.url ?? '',
    authorization: request.headers.authorization,
    form: new URLSearchParams(text),
  });
  const answer = answers.shift() ?? { status: 500, body: {} };
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
  response.end(JSON.stringify(answer.body));
});
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => server.close());
beforeEach(() => {
  asked = [];
  answers = [];
});

/** Time passes only while somebody sleeps. */
function standingClock(): SignInPorts & { slept: number[] } {
  let now = 1_000_000;
  const slept: number[] = [];
  return {
    ...systemPorts,
    slept,
    now: () => now,
    sleep: async (ms) => {
      slept.push(ms);
      now += ms;
    },
  };
}

test('reads an address with a scheme, without an endpoint or a slash at its end', () => {
  assert.equal(readHost('https://Memory.Example.com/'), 'https://memory.example.com');
  assert.equal(readHost('memory.example.com'), 'https://memory.example.com');
  assert.equal(readHost('localhost:8000'), 'http://localhost:8000');
  for (const endpoint of ['/mcp', '/mcp/', '/mcp?tools=service', '/sse', '/api/v1'])
    assert.equal(readHost(`https://example.com/memory${endpoint}`), 'https://example.com/memory');
  for (const bad of ['', 'https://a:b@example.com', 'https://example.com/?x=1', 'ftp:///'])
    assert.throws(() => readHost(bad), { code: 'invalid_input' });
});

test('keeps a credential for each server, in a file that its owner alone can read', async () => {
  await saveCredential(env, 'https://one.example', { token: 'first' });
  await saveCredential(env, 'https://two.example', { token: 'second' });
  assert.deepEqual(listHosts(env), ['https://one.example', 'https://two.example']);
  assert.equal(findCredential(env, 'https://one.example', null)?.token, 'first');
  assert.equal(findCredential(env, 'https://three.example', null), null);
  expectMode(credentialsPath(env), 0o600);
  assert.equal(await removeCredential(env, 'https://one.example', null), true);
  assert.equal(await removeCredential(env, 'https://one.example', null), false);
  assert.deepEqual(readdirSync(clientFolder(env)), ['credentials']);
});

test('gives the bare token of an older program to the host that was configured with it, and to no other', async () => {
  mkdirSync(clientFolder(env), { recursive: true });
  writeFileSync(credentialsPath(env), 'the-old-token\r\n', { mode: 0o600 });
  assert.equal(findCredential(env, 'https://old.example', 'https://old.example')?.token, 'the-old-token');
  assert.equal(findCredential(env, 'https://new.example', 'https://old.example'), null);
  await saveCredential(env, 'https://new.example', { token: 'new' }, 'https://old.example');
  assert.equal(findCredential(env, 'https://old.example', null)?.token, 'the-old-token');
});

test('says what to do when the credentials are empty or damaged', () => {
  for (const text of ['', '{"hosts":']) {
    const broken = { LTM_CONFIG_DIR: folder };
    writeFileSync(credentialsPath(broken), text);
    assert.throws(() => findCredential(broken, 'https://a.example', null), { code: 'unauthorized' });
  }
});

test('renews once for many programs that find the same credential out of date', async () => {
  const outdated = { token: 'old', refreshToken: 'r1' };
  await saveCredential(env, 'https://one.example', outdated);
  let renewals = 0;
  const renew = async () => ({ token: `new${++renewals}`, refreshToken: 'r2' });
  const got = await Promise.all(
    Array.from({ length: 8 }, () => renewCredential(env, { host: 'https://one.example', outdated, renew })),
  );
  assert.deepEqual([renewals, new Set(got.map(({ token }) => token))], [1, new Set(['new1'])]);
  assert.equal(existsSync(`${credentialsPath(env)}.lock`), false);
});

test('takes a token only from a server that answers and knows it', async () => {
  answers = [
    { status: 200, body: { ok: true } },
    { status: 200, body: { packets: [] } },
  ];
  await checkToken(host, 'good');
  assert.deepEqual(
    asked.map(({ path, authorization }) => [path, authorization]),
    [
      ['/v1/healthz', undefined],
      ['/v1/packets?limit=1', 'Bearer good'],
    ],
  );
  answers = [
    { status: 200, body: { ok: true } },
    { status: 401, body: { error: 'invalid token' } },
  ];
  await assert.rejects(checkToken(host, 'bad'), { code: 'unauthorized' });
  answers = [{ status: 404, body: {} }];
  await assert.rejects(checkToken(host, 'good'), { code: 'not_found' });
  await assert.rejects(checkToken('http://127.0.0.1:9', 'good'), { code: 'busy' });
});

test('signs in by code: waits while it is pending, slows down when told, and keeps what it gets', async () => {
  const ports = standingClock();
  const shown: unknown[] = [];
  answers = [
    {
      status: 200,
      body: {
        device_code: 'dev',
        user_code: 'abcdefgh',
        verification_uri: 'https://x.example/device',
        interval: 2,
        expires_in: 600,
      },
    },
    { status: 400, body: { error: 'authorization_pending' } },
    { status: 400, body: { error: 'slow_down' } },
    { status: 200, body: { access_token: 'at', refresh_token: 'rt', expires_in: 900 } },
  ];
  const credential = await signInByDevice(host, (code) => shown.push(code), ports);
  assert.deepEqual(credential, {
    token: 'at',
    refreshToken: 'rt',
    clientId: 'ltm-cli',
    expiresAt: ports.now() + 900_000,
  });
  assert.deepEqual(shown, [{ userCode: 'ABCD-EFGH', address: 'https://x.example/device', completeAddress: null }]);
  assert.deepEqual(ports.slept, [2000, 2000, 7000]);
  assert.equal(asked[0]?.path, '/oauth/authorize_device');
  assert.deepEqual(Object.fromEntries(asked[0]!.form), { client_id: 'ltm-cli', scope: 'read write' });
  const grant = 'urn:ietf:params:oauth:grant-type:device_code';
  assert.deepEqual(Object.fromEntries(asked[1]!.form), { grant_type: grant, device_code: 'dev', client_id: 'ltm-cli' });
});

test('ends the sign-in when it is refused, runs out or is not offered', async () => {
  const begun = {
    status: 200,
    body: { device_code: 'dev', user_code: 'abcd', verification_uri: 'https://x.example', interval: 1, expires_in: 3 },
  };
  const signIn = () => signInByDevice(host, () => undefined, standingClock());
  answers = [begun, { status: 400, body: { error: 'access_denied' } }];
  await assert.rejects(signIn(), { code: 'forbidden' });
  answers = [begun, { status: 400, body: { error: 'expired_token' } }];
  await assert.rejects(signIn(), { code: 'unauthorized', message: /in time/ });
  answers = [begun, ...Array.from({ length: 5 }, () => ({ status: 400, body: { error: 'authorization_pending' } }))];
  await assert.rejects(signIn(), { code: 'unauthorized', message: /in time/ });
  answers = [{ status: 404, body: {} }];
  await assert.rejects(signIn(), { code: 'unauthorized', message: /not offer sign-in/ });
});

test('renews a token before it runs out and when the server refuses it, and sends it to its own server only', async () => {
  await saveCredential(env, host, {
    token: 'old',
    refreshToken: 'r1',
    expiresAt: Date.now() + 1000,
    clientId: 'ltm-cli',
  });
  answers = [
    { status: 200, body: { access_token: 'second', refresh_token: 'r2', expires_in: 900 } },
    { status: 401, body: {} },
    { status: 200, body: { access_token: 'third', refresh_token: 'r3', expires_in: 900 } },
    { status: 200, body: { fine: true } },
  ];
  const client = createServerClient(env, host);
  assert.deepEqual(await (await client.fetch('/v1/teams')).json(), { fine: true });
  assert.deepEqual(
    asked.map(({ path, authorization }) => [path, authorization ?? null]),
    [
      ['/oauth/token', null],
      ['/v1/teams', 'Bearer second'],
      ['/oauth/token', null],
      ['/v1/teams', 'Bearer third'],
    ],
  );
  assert.equal(asked[2]?.form.get('refresh_token'), 'r2');
  await assert.rejects(createServerClient(env, 'https://other.example').fetch('/v1/teams'), { code: 'unauthorized' });
});

test('prefers LTM_TOKEN and follows no redirect', async () => {
  answers = [{ status: 302, body: {}, headers: { location: '/v1/elsewhere' } }];
  const response = await createServerClient({ ...env, LTM_TOKEN: 'from-env' }, host).fetch('/v1/teams');
  assert.deepEqual([response.status, asked.length, asked[0]?.authorization], [302, 1, 'Bearer from-env']);
  await assert.rejects(refresh(host, { token: 'x' }), { code: 'unauthorized' });
});

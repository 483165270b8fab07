import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { loadConfig } from '../../src/features/config.ts';
import { type RunningServer, startServer } from '../../src/server/start-server.ts';
import { makePkce, type OAuthTest, openOAuthTest, PASSWORD, REDIRECT } from '../oauth/open-oauth-test.ts';
import { silentLog } from '../open-test-engine.ts';
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from '../postgres/private-postgres.ts';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const found = findPostgres();

/** Every other request goes to the other node, as a proxy would send it: the name in the request stays the one that people use. */
function takeTurns(first: string, second: string): { restore(): void; counts: number[] } {
  const plain = globalThis.fetch;
  const counts = [0, 0];
  let turn = 0;
  globalThis.fetch = (input, init) => {
    const url = String(input);
    if (!url.startsWith(first)) return plain(input, init);
    const node = turn++ % 2;
    counts[node]! += 1;
    const headers = new Headers(init?.headers);
    headers.set('x-forwarded-host', new URL(first).host);
    return plain(node === 0 ? url : second + url.slice(first.length), { ...init, headers });
  };
  const restore = () => {
    globalThis.fetch = plain;
  };
  return { restore, counts };
}

describe('two nodes on PostgreSQL', { skip: 'missing' in found ? found.missing : false }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-two-nodes-'));
  let postgres: PrivatePostgres;
  let first: OAuthTest;
  let second: RunningServer;
  before(async () => {
    postgres = await startPrivatePostgres();
    const flags = { db: postgres.url(), 'trusted-proxies': '127.0.0.1' };
    first = await openOAuthTest(flags);
    const config = loadConfig({
      flags: {
        ...flags,
        port: '0',
        embedder: 'none',
        'external-url': first.url,
        'allowed-hosts': new URL(first.url).host,
      },
      env: {},
      file: join(folder, 'config.json'),
    });
    second = await startServer(config, silentLog);
  });
  after(async () => {
    await second?.close();
    await first?.close();
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('the second leaves the token of the first alone', async () => {
    assert.deepEqual([second.token.value, second.token.file], [null, null]);
    assert.equal(await first.read(first.ownerToken), 200);
    assert.equal(
      (await fetch(`${second.url}/api/v1/memories`, { headers: { authorization: `Bearer ${first.ownerToken}` } }))
        .status,
      200,
    );
  });

  test('carry one sign-in together: authorization, code, refresh and calls go to either', async () => {
    const { client_id } = await first.register();
    const nodes = takeTurns(first.url, second.url);
    try {
      const { verifier, challenge } = makePkce();
      const answer = await first.allow({ client_id, code_challenge: challenge, scope: 'read write' }, 'ada');
      const code = answer.get('code') ?? undefined;
      const tokens = await first.token({
        grant_type: 'authorization_code',
        client_id,
        code,
        code_verifier: verifier,
        redirect_uri: REDIRECT,
      });
      assert.equal(tokens.status, 200, JSON.stringify(tokens));
      for (let i = 0; i < 4; i++) assert.equal(await first.write(tokens.access_token), 201);
      const refreshed = await first.token({
        grant_type: 'refresh_token',
        client_id,
        refresh_token: tokens.refresh_token,
      });
      for (let i = 0; i < 2; i++) assert.equal(await first.read(refreshed.access_token), 200);
      assert.ok(Math.min(...nodes.counts) > 4);
    } finally {
      nodes.restore();
    }
  });

  test('let a device in whose code was asked for at one, typed at the other and fetched at either', async () => {
    const nodes = takeTurns(first.url, second.url);
    try {
      const asked = await fetch(`${first.url}/oauth/device_authorization`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: 'ltm-cli', scope: 'read write' }),
      });
      const { device_code, user_code, verification_uri } = (await asked.json()) as Record<string, string>;
      const browser = first.browser();
      const page = await browser.submit(await browser.visit(verification_uri!), { user_code: user_code! });
      const question = await browser.submit(page, { action: 'password', login: 'ada', password: PASSWORD });
      await browser.submit(question, { action: 'allow', scope: ['read', 'write'], space: '' });
      const tokens = await first.token({ grant_type: DEVICE_GRANT, client_id: 'ltm-cli', device_code });
      assert.equal(tokens.status, 200, JSON.stringify(tokens));
      for (let i = 0; i < 2; i++) assert.equal(await first.read(tokens.access_token), 200);
    } finally {
      nodes.restore();
    }
  });
});

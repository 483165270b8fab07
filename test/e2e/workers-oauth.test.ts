import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { makePkce, type OAuthTest, openOAuthTest, PASSWORD } from '../oauth/open-oauth-test.ts';
import { fetchAnew } from './fetch-anew.ts';
import { startServe } from './serve-process.ts';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const plain = globalThis.fetch;
let oauth: OAuthTest;
before(async () => {
  oauth = await openOAuthTest({}, async ({ db }) => {
    const folder = dirname(db);
    const server = await startServe(folder, ['--db', db, '--workers', '2', '--embedder', 'none']);
    const file = join(folder, 'owner-token');
    return { url: server.url, token: { value: readFileSync(file, 'utf8').trim(), file }, close: server.stop };
  });
  globalThis.fetch = fetchAnew;
});
after(async () => {
  globalThis.fetch = plain;
  await oauth?.close();
});

test('a sign-in goes through, although each of its requests lands on another worker than the one before', async () => {
  const tokens = await oauth.connect();
  assert.equal(tokens.status, 200, JSON.stringify(tokens));
  for (let i = 0; i < 4; i++) assert.equal(await oauth.write(tokens.access_token), 201);
  const { client_id, refresh_token } = tokens;
  const refreshed = await oauth.token({ grant_type: 'refresh_token', client_id, refresh_token });
  for (let i = 0; i < 2; i++) assert.equal(await oauth.read(refreshed.access_token), 200);
});

test('a device is let in by a code that was asked for, typed and fetched at any of them', async () => {
  const asked = await fetch(`${oauth.url}/oauth/device_authorization`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'ltm-cli', scope: 'read write' }),
  });
  const { device_code, user_code, verification_uri } = (await asked.json()) as Record<string, string>;
  const browser = oauth.browser();
  const page = await browser.submit(await browser.visit(verification_uri!), { user_code: user_code! });
  const question = await browser.submit(page, { action: 'password', login: 'ada', password: PASSWORD });
  await browser.submit(question, { action: 'allow', scope: ['read', 'write'], space: '' });
  const tokens = await oauth.token({ grant_type: DEVICE_GRANT, client_id: 'ltm-cli', device_code });
  assert.equal(tokens.status, 200, JSON.stringify(tokens));
});

test('wrong passwords are counted once for all of them: ten tries, not ten each', async () => {
  const { client_id } = await oauth.register();
  const browser = oauth.browser();
  const { challenge } = makePkce();
  const url = oauth.authorizeUrl({ client_id, code_challenge: challenge, scope: 'read' });
  const form = await browser.visit(url);
  const pages = [];
  for (let i = 0; i < 12; i++)
    pages.push(await browser.submit(form, { action: 'password', login: 'bob', password: `wrong ${i}` }));
  const refused = pages.map(({ html }) => /Too many failed attempts/.test(html));
  assert.deepEqual(
    refused,
    Array.from({ length: 12 }, (_, i) => i >= 10),
  );
});

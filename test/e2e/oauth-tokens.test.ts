import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { after, test } from 'node:test';
import { createCodeFlow } from '../oauth/code-flow.ts';
import { makePkce, openOAuthTest } from '../oauth/open-oauth-test.ts';

const oauth = await openOAuthTest();
after(() => oauth.close());
const first = await oauth.register();
const { getCode, redeem, refresh, isDead } = createCodeFlow(oauth, first.client_id);
const ROUNDS = Number(process.env.LTM_TEST_ROUNDS ?? 50);

test(`of two uses of one code at the same time exactly one wins, ${ROUNDS} times`, async () => {
  const { page, browser } = await oauth.signIn(
    { client_id: first.client_id, code_challenge: makePkce().challenge },
    'ada',
  );
  await browser.submit(page, { action: 'deny' });
  for (let round = 0; round < ROUNDS; round++) {
    const { verifier, challenge } = makePkce();
    const question = await browser.visit(oauth.authorizeUrl({ client_id: first.client_id, code_challenge: challenge }));
    const { url } = await browser.submit(question, { action: 'allow', scope: ['read', 'write'], space: '' });
    const code = { code: new URL(url).searchParams.get('code')!, verifier };
    const answers = await Promise.all([redeem(code), redeem(code)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400], `round ${round}`);
    assert.ok(await isDead(answers.find(({ status }) => status === 200)!.access_token));
  }
});

test('of two uses of one refresh token at the same time at most one wins, and the family ends', async () => {
  const tokens = await redeem(await getCode());
  const answers = await Promise.all([refresh(tokens.refresh_token), refresh(tokens.refresh_token)]);
  assert.ok(answers.filter(({ status }) => status === 200).length <= 1);
  for (const { access_token } of answers) if (access_token !== undefined) assert.ok(await isDead(access_token));
});

test('an access token lives for a quarter of an hour, a refresh token for thirty days', async (t) => {
  const tokens = await redeem(await getCode());
  const now = Date.now();
  t.mock.timers.enable({ apis: ['Date'], now: now + 890_000 });
  assert.equal(await oauth.read(tokens.access_token), 200);
  t.mock.timers.setTime(now + 901_000);
  assert.ok(await isDead(tokens.access_token));
  t.mock.timers.setTime(now + 29 * 86_400_000);
  const next = await refresh(tokens.refresh_token);
  assert.equal(next.status, 200);
  t.mock.timers.setTime(now + 60 * 86_400_000);
  assert.equal((await refresh(next.refresh_token)).error, 'invalid_grant');
});

test('what is kept opens nothing: no code, token or cookie is in the database', async () => {
  const tokens = await redeem(await getCode());
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(oauth.db, { readOnly: true });
  const rows = JSON.stringify(database.prepare('SELECT * FROM oauth_artifacts').all());
  database.close();
  assert.match(rows, /"AccessToken"/);
  for (const secret of [tokens.access_token, tokens.refresh_token]) assert.ok(!rows.includes(secret));
  const hash = (secret: string): string => createHash('sha256').update(secret).digest('hex');
  assert.ok(rows.includes(hash(tokens.refresh_token)));
  for (const form of [hash(tokens.refresh_token), `sha256.${hash(tokens.refresh_token)}`])
    assert.equal((await refresh(form)).error, 'invalid_grant');
  assert.ok(await isDead(hash(tokens.access_token)));

  const asked = await fetch(`${oauth.url}/oauth/device_authorization`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'ltm-cli' }),
  });
  const { device_code } = (await asked.json()) as { device_code: string };
  const poll = (code: string) =>
    oauth.token({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: 'ltm-cli',
      device_code: code,
    });
  assert.equal((await poll(device_code)).error, 'authorization_pending');
  assert.equal((await poll(`sha256.${hash(device_code)}`)).error, 'invalid_grant');
});

test('a header that lies about the host does not change where codes and answers go', async () => {
  const metadata = await new Promise<string>((resolve, reject) => {
    const headers = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    };
    request(`${oauth.url}/.well-known/oauth-authorization-server`, { headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve(text));
    })
      .on('error', reject)
      .end();
  });
  assert.doesNotMatch(metadata, /evil/);
  assert.match(metadata, new RegExp(`"token_endpoint":"${oauth.url}/oauth/token"`));
});

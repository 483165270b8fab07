// Row 72 of mcp-memory-service's checklist: the sign-in page of OAuth takes the key of the server, as there, on both databases.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makePkce, type OAuthTest, openOAuthTest, REDIRECT, type Tokens } from '../oauth/open-oauth-test.ts';
import { makeFolder } from '../open-test-engine.ts';
import { onBothDatabases } from './both-databases.ts';
import { KEY } from './rest-client.ts';

const OTHER = 'another-key-that-is-long-enough';

async function open(t: TestContext, flags: Record<string, string>): Promise<OAuthTest> {
  const oauth = await openOAuthTest(flags);
  t.after(() => oauth.close());
  return oauth;
}

/** From the sign-in page to tokens, with whatever the form is sent. */
async function connect(oauth: OAuthTest, form: Record<string, string>): Promise<Tokens | { refused: string }> {
  const { client_id } = await oauth.register();
  const { verifier, challenge } = makePkce();
  const browser = oauth.browser();
  const asked = { client_id, code_challenge: challenge, scope: 'read write admin' };
  const signedIn = await browser.submit(await browser.visit(oauth.authorizeUrl(asked)), form);
  if (!signedIn.html.includes('value="allow"')) return { refused: signedIn.html };
  const { url } = await browser.submit(signedIn, { action: 'allow', scope: ['read', 'write'], space: '' });
  const code = new URL(url).searchParams.get('code') ?? undefined;
  const redeemed = { client_id, code, code_verifier: verifier, redirect_uri: REDIRECT };
  return oauth.token({ grant_type: 'authorization_code', ...redeemed });
}

onBothDatabases(
  'row 72: MCP_API_KEY signs the owner in, and what it gave away holds as long as it is the key',
  async (_t, given) => {
    const db = given ?? join(makeFolder(), 'memory.db');
    const oauth = await openOAuthTest({ db, 'api-key': KEY });
    const forms: Record<string, string>[] = [{ action: 'token', token: KEY }, { token: ` ${KEY} ` }, { api_key: KEY }];
    for (const form of forms) {
      const tokens = await connect(oauth, form);
      assert.ok('access_token' in tokens, JSON.stringify(tokens));
      assert.deepEqual([tokens.scope, await oauth.write(tokens.access_token)], ['read write', 201]);
    }
    const tokens = await connect(oauth, { action: 'token', token: KEY });
    assert.ok('access_token' in tokens);
    await oauth.close();
    const { port } = new URL(oauth.url);
    const keys: [Record<string, string>, number][] = [
      [{ 'api-key': OTHER }, 401],
      [{}, 401],
      [{ 'api-key': KEY }, 200],
    ];
    for (const [key, status] of keys) {
      const later = await openOAuthTest({ db, port, ...key });
      assert.equal(await later.read(tokens.access_token), status, JSON.stringify(key));
      if (status === 401) assert.ok('refused' in (await connect(later, { action: 'token', token: KEY })));
      await later.close();
    }
  },
);

test('row 72: a wrong key is refused, logged as other attempts are, and named nowhere', async (t) => {
  const oauth = await open(t, { 'api-key': KEY });
  for (const wrong of [KEY.slice(1), `${KEY}x`, KEY.toUpperCase(), '', 'x'.repeat(5000)]) {
    const answer = await connect(oauth, { action: 'token', token: wrong });
    assert.ok('refused' in answer);
    assert.match(answer.refused, /neither a token nor the key of this server/);
    assert.ok(!answer.refused.includes(KEY));
  }
  const refused = oauth.logged.filter(({ event }) => event === 'request_refused');
  assert.equal(refused.length, 5);
  const token = await connect(oauth, { action: 'token', token: oauth.ownerToken });
  assert.ok('access_token' in token);
});

test('row 72: the page says what it takes, and only what the server has', async (t) => {
  const page = async (oauth: OAuthTest): Promise<string> => {
    const { client_id } = await oauth.register();
    return (await oauth.browser().visit(oauth.authorizeUrl({ client_id, code_challenge: makePkce().challenge }))).html;
  };
  assert.match(await page(await open(t, { 'api-key': KEY })), /Access token or API key/);
  assert.doesNotMatch(await page(await open(t, {})), /API key/);
});

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makePkce, openOAuthTest, PASSWORD, REDIRECT } from '../oauth/open-oauth-test.ts';

const oauth = await openOAuthTest();
after(() => oauth.close());
const HTTPS_REDIRECT = 'https://app.example.org/cb';
const { client_id } = await oauth.register({ redirect_uris: [REDIRECT, HTTPS_REDIRECT] });
const { challenge: code_challenge } = makePkce();

/** What the program is told at its own address; null where the browser was not sent there. */
async function errorAt(parameters: Record<string, string | undefined>): Promise<URLSearchParams | null> {
  const page = await oauth.browser().visit(oauth.authorizeUrl({ client_id, code_challenge, ...parameters }));
  return page.url.startsWith(REDIRECT) ? new URL(page.url).searchParams : null;
}

test('attack 1: a code goes to registered addresses only, of which a loopback port alone may differ', async () => {
  const refused = [
    'http://evil.example/callback',
    'http://127.0.0.1.evil.example:7777/callback',
    'https://app.example.org.evil.example/cb',
    'http://127.0.0.1:7777/callback/more',
    'http://127.0.0.1:7777/callback/',
    'http://127.0.0.1:7777/callback/..',
    'http://127.0.0.1:7777/Callback',
    'HTTP://127.0.0.1:7777/callback',
    'http://127.0.0.1:7777/callback?next=1',
    'http://127.0.0.1:7777/callback#x',
    'http://127.0.0.1:7777/callback%2e',
    'http://user@127.0.0.1:7777/callback',
    'http://evil.example@127.0.0.1:7777/callback',
    'http://localhost:7777/callback',
    'http://[::1]:7777/callback',
    'http://127.0.0.2:7777/callback',
    'http://0x7f000001:7777/callback',
    'https://127.0.0.1:7777/callback',
    'http://127.0.0.1:7777/*',
    'https://app.example.org:8443/cb',
    'https://app.example.org/cb/',
    'https://APP.example.org/cb',
    'http://app.example.org/cb',
    'https://*.example.org/cb',
    'javascript:alert(1)',
    '//evil.example',
    '',
  ];
  for (const redirect_uri of refused) {
    const page = await oauth.browser().visit(oauth.authorizeUrl({ client_id, code_challenge, redirect_uri }));
    assert.deepEqual([page.status, page.headers.get('location')], [400, null], redirect_uri);
    assert.match(page.html, /The request failed/);
  }
  const none = await oauth.browser().visit(oauth.authorizeUrl({ client_id, code_challenge, redirect_uri: undefined }));
  assert.equal(none.status, 400);
  for (const redirect_uri of [REDIRECT, HTTPS_REDIRECT, 'http://127.0.0.1:9/callback', 'http://127.0.0.1/callback'])
    assert.match(
      (await oauth.browser().visit(oauth.authorizeUrl({ client_id, code_challenge, redirect_uri }))).html,
      /name="login"/,
      redirect_uri,
    );
});

test('attack 2: a client that nobody registered gets a page and no redirect', async () => {
  for (const unknown of ['app_nobody', '', '__proto__', "' OR 1=1 --", 'ltm-cli']) {
    const page = await oauth
      .browser()
      .visit(oauth.authorizeUrl({ client_id: unknown, code_challenge, redirect_uri: 'https://evil.example/cb' }));
    assert.deepEqual([page.status, page.headers.get('location')], [400, null], unknown);
  }
  assert.equal(
    (await oauth.token({ grant_type: 'refresh_token', client_id: 'app_nobody', refresh_token: 'x' })).error,
    'invalid_client',
  );
});

test('attack 6: nothing is authorized without an S256 challenge', async () => {
  assert.equal(
    (await errorAt({ code_challenge: undefined, code_challenge_method: undefined }))?.get('error'),
    'invalid_request',
  );
  assert.equal((await errorAt({ code_challenge_method: 'plain' }))?.get('error'), 'invalid_request');
  assert.equal((await errorAt({ code_challenge_method: undefined }))?.get('error'), 'invalid_request');
  assert.equal((await errorAt({ code_challenge: 'short' }))?.get('error'), 'invalid_request');
  assert.equal((await errorAt({ code_challenge: '' }))?.get('error'), 'invalid_request');
});

test('attack 10: a foreign resource cannot be asked for', async () => {
  for (const resource of [
    'https://evil.example/mcp',
    `${oauth.url}/other`,
    `${oauth.url}.evil.example/mcp`,
    'not a url',
    `${oauth.url}/mcp#x`,
  ])
    assert.equal((await errorAt({ resource }))?.get('error'), 'invalid_target', resource);
});

test('attack 13: the state comes back as it was, and a request cannot be answered twice or after ten minutes', async (t) => {
  const state = 'a b&c=%20"<é>';
  const answer = await oauth.allow({ client_id, code_challenge, state }, 'ada');
  assert.equal(answer.get('state'), state);
  assert.equal((await oauth.allow({ client_id, code_challenge, state: undefined }, 'ada')).get('state'), null);

  const { page, browser } = await oauth.signIn({ client_id, code_challenge }, 'ada');
  const cookies = new Map(browser.cookies);
  assert.ok(
    new URL((await browser.submit(page, { action: 'allow', scope: 'read', space: '' })).url).searchParams.has('code'),
  );
  for (const [name, cookie] of cookies) browser.cookies.set(name, cookie);
  assert.equal((await browser.submit(page, { action: 'allow', scope: 'read', space: '' })).status, 400);

  const late = await oauth.signIn({ client_id, code_challenge }, 'ada');
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 601_000 });
  assert.equal((await late.browser.submit(late.page, { action: 'allow', scope: 'read', space: '' })).status, 400);
});

test('attack 14: every program is asked about, whatever was allowed before', async () => {
  const { page, browser } = await oauth.signIn({ client_id, code_challenge }, 'ada');
  await browser.submit(page, { action: 'allow', scope: ['read', 'write'], space: '' });
  const other = await oauth.register({ client_name: 'Other' });
  for (const id of [client_id, other.client_id]) {
    const again = await browser.visit(oauth.authorizeUrl({ client_id: id, code_challenge }));
    assert.match(again.html, /value="allow"/);
    const silent = await browser.visit(oauth.authorizeUrl({ client_id: id, code_challenge, prompt: 'none' }));
    assert.match(new URL(silent.url).searchParams.get('error') ?? '', /_required$/);
  }
  const unsigned = await oauth.browser().visit(oauth.authorizeUrl({ client_id, code_challenge, prompt: 'none' }));
  assert.equal(new URL(unsigned.url).searchParams.get('error'), 'login_required');
});

test('attack 14: the consent form works from its own page alone', async () => {
  const { page, browser } = await oauth.signIn({ client_id, code_challenge }, 'ada');
  const fields = { action: 'allow', scope: 'read', space: '' };
  assert.equal((await browser.submit(page, { ...fields, csrf: '' })).status, 403);
  assert.equal((await browser.submit(page, { ...fields, csrf: 'A'.repeat(43) })).status, 403);
  assert.equal((await browser.submit(page, fields, { origin: 'https://evil.example' })).status, 403);
  assert.equal((await browser.submit(page, fields, { origin: 'null' })).status, 403);
  assert.equal((await browser.visit(`${page.url}?action=allow`)).status, 200);
  const other = await oauth.signIn({ client_id, code_challenge }, 'bob');
  const foreign = /name="csrf" value="([^"]+)"/.exec(other.page.html)![1]!;
  assert.equal((await browser.submit(page, { ...fields, csrf: foreign })).status, 403);
  assert.ok(new URL((await browser.submit(page, fields)).url).searchParams.has('code'));
});

test('attack 14: pages cannot be framed, run no script, and set cookies that scripts and other sites do not get', async () => {
  const browser = oauth.browser();
  const page = await browser.visit(oauth.authorizeUrl({ client_id, code_challenge }));
  const policy = page.headers.get('content-security-policy')!;
  assert.match(
    policy,
    /default-src 'none'; style-src 'sha256-[^']+'; form-action 'self' http:\/\/127\.0\.0\.1:7777 https:; base-uri 'none'; frame-ancestors 'none'/,
  );
  assert.doesNotMatch(policy, /unsafe|script-src/);
  assert.equal(page.headers.get('x-frame-options'), 'DENY');
  assert.equal(page.headers.get('cache-control'), 'private, no-store');
  assert.doesNotMatch(page.html, /<script|onclick|onload|javascript:/i);
  for (const { attributes } of browser.cookies.values()) assert.match(attributes, /samesite=lax; httponly/i);
});

test('attack 15: code cannot be sent to a script or into a document', async () => {
  for (const uri of [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:x',
    'about:blank',
    'ftp://x/',
    'myapp://x',
    'http://example.org/cb',
    'https://u@example.org/',
    'https://x/#y',
  ])
    assert.equal((await oauth.register({ redirect_uris: [REDIRECT, uri] })).error, 'invalid_redirect_uri', uri);
  assert.equal((await oauth.register({ redirect_uris: [] })).error, 'invalid_redirect_uri');
});

test('attack 17: every answer says who gives it', async () => {
  assert.equal((await oauth.allow({ client_id, code_challenge }, 'ada')).get('iss'), oauth.url);
  assert.equal((await errorAt({ code_challenge_method: 'plain' }))?.get('iss'), oauth.url);
  const metadata = (await (await fetch(`${oauth.url}/.well-known/oauth-authorization-server`)).json()) as Record<
    string,
    unknown
  >;
  assert.deepEqual([metadata.issuer, metadata.authorization_response_iss_parameter_supported], [oauth.url, true]);
});

test('attack 18: an error never sends the browser to an address that was not registered', async () => {
  const evil = 'https://evil.example/cb';
  const broken: Record<string, string | undefined>[] = [
    { response_type: 'token' },
    { scope: '"' },
    { code_challenge: undefined },
    { prompt: 'none' },
    { request: 'x' },
    { request_uri: 'https://evil.example/r' },
    { resource: 'x' },
    { response_mode: 'form_post' },
    { response_mode: 'web_message' },
    { registration: '{}' },
  ];
  for (const parameters of broken) {
    const page = await oauth
      .browser()
      .visit(oauth.authorizeUrl({ client_id, code_challenge, ...parameters, redirect_uri: evil }));
    assert.deepEqual([page.status, page.url.startsWith(oauth.url)], [400, true], JSON.stringify(parameters));
    assert.doesNotMatch(page.html, /evil\.example/);
  }
});

test('attack 24: what one person began, another cannot finish', async () => {
  const { page } = await oauth.signIn({ client_id, code_challenge }, 'ada');
  const stranger = oauth.browser();
  assert.equal((await stranger.visit(page.url)).status, 400);
  const bob = await oauth.signIn({ client_id, code_challenge }, 'bob');
  assert.equal((await bob.browser.visit(page.url)).status, 400);
  const own = [...bob.browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
  assert.equal((await fetch(page.url, { headers: { cookie: own } })).status, 400);
  assert.equal((await fetch(bob.page.url, { headers: { cookie: own } })).status, 200);
  assert.equal((await bob.browser.submit(page, { action: 'allow', scope: 'read', space: '' })).status, 400);
});

test('wrong passwords and tokens open nothing, and say the same for a person that does not exist', async () => {
  const browser = oauth.browser();
  const page = await browser.visit(oauth.authorizeUrl({ client_id, code_challenge }));
  const tell = async (fields: Record<string, string>) =>
    /role="alert">([^<]*)</.exec((await browser.submit(page, fields)).html)?.[1];
  assert.equal(
    await tell({ action: 'password', login: 'ada', password: 'wrong wrong wrong' }),
    'The name or the password is wrong.',
  );
  assert.equal(
    await tell({ action: 'password', login: 'nobody', password: PASSWORD }),
    'The name or the password is wrong.',
  );
  assert.equal(await tell({ action: 'token', token: 'ltmkwrong' }), 'This token is not valid here.');
  assert.equal(await tell({ action: 'allow', scope: 'read', space: '' }), 'Sign in first.');
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type OAuthTest, openOAuthTest } from '../oauth/open-oauth-test.ts';
import { sendRaw } from './raw-request.ts';

let oauth: OAuthTest;
before(async () => {
  oauth = await openOAuthTest();
});
after(() => oauth.close());

const PATHS = ['token', 'register', 'revoke', 'device_authorization', 'authorize', 'device', 'interaction/x', 'jwks'];
const head = (path: string, more: string) =>
  `POST /oauth/${path} HTTP/1.1\r\nHost: ${new URL(oauth.url).host}\r\nContent-Type: application/x-www-form-urlencoded\r\n${more}\r\n\r\n`;

test('a body that says it is large is refused before any of it is read', async () => {
  for (const path of PATHS) {
    const { status, body } = await sendRaw(oauth.url, head(path, 'Content-Length: 57345'));
    assert.equal(status, 413, path);
    assert.match(body, /larger than 57344 bytes/);
  }
});

test('a body without a length is refused at the limit, long before its end', async () => {
  const chunk = `e001\r\n${'a'.repeat(0xe001)}\r\n`;
  for (const path of PATHS)
    assert.equal((await sendRaw(oauth.url, head(path, 'Transfer-Encoding: chunked') + chunk)).status, 413, path);
});

test('a body in chunks is read like any other', async () => {
  const fields = 'grant_type=authorization_code&client_id=nobody&code=x';
  const chunks = [...fields.matchAll(/.{1,10}/g)].map(([part]) => `${part.length.toString(16)}\r\n${part}\r\n`);
  const { status, body } = await sendRaw(
    oauth.url,
    `${head('token', 'Transfer-Encoding: chunked')}${chunks.join('')}0\r\n\r\n`,
  );
  assert.deepEqual([status, (JSON.parse(body) as { error: string }).error], [401, 'invalid_client']);
});

test('a device page that is sent without a session is shown again, and can be sent then', async () => {
  const other = await openOAuthTest();
  try {
    const bodies = [
      '',
      'user_code=ABCD-EFGH',
      'xsrf=1&user_code=ABCDEFGH&confirm=yes',
      'a=b',
      '%%%',
      'confirm=1&abort=1',
    ];
    for (const body of bodies) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const response = await fetch(`${other.url}/oauth/device`, { method: 'POST', body, headers });
      assert.equal(response.status, 400, body);
      assert.match(await response.text(), /<h1>Connect a device<\/h1>[\s\S]*This page has expired/);
    }
    const stale = await other.browser().visit(`${other.url}/oauth/device`);
    const another = other.browser();
    const again = await another.submit(stale, { user_code: 'BBBB-BBBB' });
    assert.match(again.html, /This page has expired/);
    assert.match((await another.submit(again, { user_code: 'BBBB-BBBB' })).html, /This code does not exist/);
    assert.deepEqual(
      other.logged.filter(({ event }) => event === 'oauth_failed'),
      [],
    );
  } finally {
    await other.close();
  }
});

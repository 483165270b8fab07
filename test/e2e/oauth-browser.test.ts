import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { chromium, type Page } from 'playwright-core';
import { makePkce, openOAuthTest, PASSWORD } from '../oauth/open-oauth-test.ts';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const skip =
  executablePath === undefined
    ? 'there is no Chromium on this machine; scripts/install-test-tools.sh installs it'
    : false;

test('two people let programs in, each in a browser of their own, and no policy of the pages stands in the way', {
  skip,
}, async () => {
  const oauth = await openOAuthTest();
  const landed: string[] = [];
  const program = createServer((request, response) => {
    landed.push(request.url ?? '');
    response.end('connected');
  });
  await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve));
  const redirect = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`;
  const browser = await chromium.launch({
    executablePath: executablePath!,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  after(async () => {
    await browser.close();
    program.close();
    await oauth.close();
  });
  const { client_id } = await oauth.register({ redirect_uris: [redirect] });
  for (const person of ['ada', 'bob']) {
    const page = await (await browser.newContext()).newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    const { verifier, challenge } = makePkce();
    await page.goto(oauth.authorizeUrl({ client_id, redirect_uri: redirect, code_challenge: challenge }));
    await signIn(page, person);
    assert.match((await page.textContent('footer')) ?? '', new RegExp(`${person}@example\\.org`));
    await page.click('button[value=allow]');
    await page.waitForURL(/\/callback\?code=/);
    assert.deepEqual(complaints, []);
    const code = new URL(page.url()).searchParams.get('code')!;
    const tokens = await oauth.token({
      grant_type: 'authorization_code',
      client_id,
      code,
      code_verifier: verifier,
      redirect_uri: redirect,
    });
    assert.equal(await oauth.read(tokens.access_token), 200);
    const who = await fetch(`${oauth.url}/api/v1/whoami`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    assert.match(await who.text(), new RegExp(`"${person}"`));
  }
  assert.equal(landed.filter((url) => url.startsWith('/callback?code=')).length, 2);
});

async function signIn(page: Page, person: string): Promise<void> {
  await page.fill('#login', person);
  await page.fill('#password', PASSWORD);
  await page.click('button[value=password]');
  await page.waitForSelector('button[value=allow]');
}

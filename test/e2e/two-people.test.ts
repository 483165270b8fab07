import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type BrowserContext, chromium } from 'playwright-core';
import { makeProvider } from '../oauth/memory-provider.ts';
import { type PacketServer, startPacketServer } from './packet-server.ts';
import { openRawStream } from './raw-sse.ts';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const skip =
  executablePath === undefined
    ? 'there is no Chromium on this machine; scripts/install-test-tools.sh installs it'
    : false;
const JSON_BODY = { 'content-type': 'application/json' };
const PASSWORD = 'four quite unrelated words';

interface Person {
  browser: BrowserContext;
  email: string;
  token: string;
}

/** Opens the invite, is told what is wrong with the password, and joins. */
async function join(browser: BrowserContext, name: string, invite: string): Promise<Person> {
  const [page, email] = [await browser.newPage(), `${name.toLowerCase()}@example.org`];
  await page.goto(invite);
  for (const password of ['short', PASSWORD]) {
    await page.fill('input[name=name]', name);
    await page.fill('input[name=email]', email);
    await page.fill('input[name=password]', password);
    await page.click('button');
    if (password === 'short') assert.match((await page.textContent('[role=alert]')) ?? '', /at least 10/);
  }
  assert.match((await page.textContent('h1')) ?? '', /You are in the team/);
  return { browser, email, token: ((await page.textContent('.secret')) ?? '').trim() };
}

/** From a bare 401 to a connected agent: the agent registers, the person signs in and allows it. */
async function connectAgent(url: string, { browser, email }: Person, callback: Server): Promise<Client> {
  const provider = makeProvider(`http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`);
  const open = () => new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: provider });
  const first = open();
  await assert.rejects(new Client({ name: 'agent', version: '1' }).connect(first), /Unauthorized/);
  const page = await browser.newPage();
  await page.goto(provider.kept.sentTo!.href);
  await page.fill('#login', email);
  await page.fill('#password', PASSWORD);
  await page.click('button[value=password]');
  await page.click('button[value=allow]');
  await page.waitForURL(/\/callback\?/);
  const answer = new URL(page.url()).searchParams;
  await first.finishAuth(answer.get('code')!, answer.get('iss') ?? undefined);
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(open());
  return client;
}

async function search(client: Client, query: string): Promise<string> {
  return JSON.stringify((await client.callTool({ name: 'memory_search', arguments: { query } })).structuredContent);
}

async function inviteTo(server: PacketServer, team: string): Promise<string> {
  return (await server.call('POST', `/api/v1/teams/${team}/invites`, { body: {}, headers: JSON_BODY })).json.url;
}

test('two people, each with a browser and an agent of their own, share a team and nothing else', { skip }, async () => {
  const server = await startPacketServer(['--embedder', 'none']);
  const callback = createServer((_request, response) => response.end('connected'));
  await new Promise<void>((resolve) => callback.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({
    executablePath: executablePath!,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  after(async () => {
    await browser.close();
    callback.close();
    await server.close();
  });
  assert.equal(
    (await server.call('POST', '/api/v1/teams', { body: { name: 'crew' }, headers: JSON_BODY })).status,
    201,
  );
  const ada = await join(await browser.newContext(), 'Ada', await inviteTo(server, 'crew'));
  const bob = await join(await browser.newContext(), 'Bob', await inviteTo(server, 'crew'));
  const [hers, his] = [await connectAgent(server.url, ada, callback), await connectAgent(server.url, bob, callback)];

  await hers.callTool({ name: 'memory_store', arguments: { content: 'Ada keeps the spare key below the flowerpot' } });
  await his.callTool({ name: 'memory_store', arguments: { content: 'Bob keeps the spare key behind the mill' } });
  const shared = { content: 'The spare key of the boat is with the crew' };
  await server.call('POST', '/api/v1/memories?team=crew', { token: ada.token, body: shared, headers: JSON_BODY });
  const [she, he] = [await search(hers, 'spare key'), await search(his, 'spare key')];
  assert.deepEqual([/flowerpot/.test(she), /mill/.test(she), /boat/.test(she)], [true, false, true]);
  assert.deepEqual([/flowerpot/.test(he), /mill/.test(he), /boat/.test(he)], [false, true, true]);

  const stream = await openRawStream(`${server.url}/api/v1/events?team=crew`, { authorization: `Bearer ${bob.token}` });
  const { user } = (await server.call('GET', '/api/v1/whoami', { token: bob.token })).json;
  assert.equal((await server.call('DELETE', `/api/v1/teams/crew/members/${user.id}`)).status, 204);
  while ((await stream.next()) !== null);
  assert.doesNotMatch(await search(his, 'spare key'), /boat/);
  assert.match(await search(his, 'spare key'), /mill/);
  await Promise.all([hers.close(), his.close()]);
});

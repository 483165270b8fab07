import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type PacketServer, packetText, startPacketServer } from './packet-server.ts';

let server: PacketServer;
before(async () => {
  server = await startPacketServer();
});
after(() => server.close());

const ID = 'public-packet-01';
const PATH = `/v1/packets/${ID}`;
const publish = () => server.call('POST', `${PATH}/publish`);
const visit = (url: string) => server.call('GET', url.slice(server.url.length), { token: null });

describe('publishing', () => {
  before(async () => {
    const goal = '<script>alert(1)</script> & "quotes" `npm test` \u202Eesrever';
    await server.call('POST', '/v1/packets', {
      body: packetText({
        id: ID,
        goal,
        tags: ['demo'],
        attempts: [{ tried: '<img src=x onerror=y>', outcome: 'failed' }],
      }),
    });
  });

  test('L39 gives one address for good, which anyone can read, and says so with the packet', async () => {
    const first = await publish();
    assert.deepEqual(Object.keys(first.json), ['id', 'public_url', 'published_at']);
    assert.deepEqual((await publish()).json, first.json);
    assert.match(first.json.public_url, new RegExp(`^${server.url}/p/[\\w-]{27}$`));
    const { headers } = await server.call('GET', PATH);
    assert.deepEqual(
      [headers.get('x-ltm-published-at'), headers.get('x-ltm-public-url')],
      [first.json.published_at, first.json.public_url],
    );
    const page = await visit(first.json.public_url);
    assert.equal(page.status, 200);
    assert.equal((await visit(`${first.json.public_url}?format=json`)).body, (await server.call('GET', PATH)).body);
    assert.match((await visit(`${first.json.public_url}?format=md`)).body, /^# Resume context/);
  });

  test('L39 the page runs nothing, asks nobody, is in no index and no cache', async () => {
    const { body, headers } = await visit((await publish()).json.public_url);
    assert.doesNotMatch(body, /<script|<img|\u202e/i);
    assert.match(body, /&lt;script&gt;alert\(1\)&lt;\/script&gt; &amp; &quot;quotes&quot; <code>npm test<\/code>/);
    assert.match(
      headers.get('content-security-policy') ?? '',
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    assert.deepEqual(
      [headers.get('x-robots-tag'), headers.get('cache-control')],
      ['noindex, nofollow', 'private, no-store'],
    );
    assert.doesNotMatch(server.log(), /\/p\/[\w-]{27}/);
  });

  test('L39 is taken back by DELETE, by deleting the packet, and not undone by saving it again', async () => {
    const url = (await publish()).json.public_url;
    assert.equal((await server.call('DELETE', `${PATH}/publish`)).status, 204);
    assert.deepEqual(
      [(await visit(url)).status, (await server.call('GET', PATH)).headers.get('x-ltm-public-url')],
      [404, null],
    );
    const second = (await publish()).json.public_url;
    assert.notEqual(second, url);
    const { body } = await server.call('GET', PATH);
    await server.call('DELETE', PATH);
    assert.equal((await visit(second)).status, 404);
    await server.call('POST', '/v1/packets', { body });
    assert.deepEqual(
      [(await visit(second)).status, (await server.call('GET', PATH)).headers.get('x-ltm-public-url')],
      [404, null],
    );
  });

  test('an agent is given the address under which it reaches the server itself, and is told which token it has', async () => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const url = server.url.replace('127.0.0.1', 'localhost');
    const callTool = async (name: string, args: object) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
      return (
        await fetch(`${url}/mcp`, {
          method: 'POST',
          headers: { ...headers, authorization: `Bearer ${server.owner}` },
          body,
        })
      ).text();
    };
    assert.match(await callTool('publish', { id: ID }), new RegExp(`"public_url":"${url}/p/[\\w-]{27}"`));
    const hash = createHash('sha256').update(server.owner).digest('hex').slice(0, 8);
    assert.match(await callTool('whoami', {}), new RegExp(`"host":"${url}","token_hash8":"${hash}"`));
  });

  test('only its author and the admins of its team publish a packet, and nobody guesses an address', async () => {
    const bob = await server.newcomer('Bob');
    assert.equal((await server.call('POST', `${PATH}/publish`, { token: bob.token })).status, 404);
    await server.call('POST', '/v1/packets?team=everybody', { body: packetText({ id: 'of-the-team-01' }) });
    assert.equal((await server.call('POST', '/v1/packets/of-the-team-01/publish', { token: bob.token })).status, 403);
    for (const path of ['/p/', '/p/x', `/p/${'A'.repeat(27)}`, '/p/..%2f..%2fv1'])
      assert.equal((await server.call('GET', path, { token: null })).status, 404, path);
  });
});

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  findFreePort,
  findPostgres,
  type PrivatePostgres,
  startPrivatePostgres,
} from '../postgres/private-postgres.ts';
import { openRawStream } from './raw-sse.ts';
import { missingProxy, startRealProxy } from './real-proxy.ts';
import { type ServeNodes, startNodes } from './serve-nodes.ts';
import { connectSse } from './serve-process.ts';

const found = findPostgres();
const UPLOAD_BYTES = 40_000_000;

for (const name of ['nginx', 'caddy'] as const) {
  const skip = 'missing' in found ? found.missing : missingProxy(name);
  describe(`two nodes behind ${name} with the file of deploy/`, { skip }, () => {
    let postgres: PrivatePostgres;
    let nodes: ServeNodes;
    let proxy: Awaited<ReturnType<typeof startRealProxy>>;
    let url: string;
    let headers: Record<string, string>;
    before(async () => {
      // The certificate of this test is signed by nobody.
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
      postgres = await startPrivatePostgres();
      const port = await findFreePort();
      url = `https://localhost:${port}`;
      nodes = await startNodes(postgres.url(), 2, [
        '--embedder',
        'none',
        '--external-url',
        url,
        '--trusted-proxies',
        '127.0.0.0/8',
      ]);
      headers = { authorization: `Bearer ${nodes.token}`, 'content-type': 'application/json' };
      proxy = await startRealProxy(
        name,
        port,
        nodes.nodes.map((node) => node.url),
      );
    });
    after(async () => {
      await proxy?.stop();
      await nodes?.stop();
      await postgres?.stop();
    });
    const store = (content: string) =>
      fetch(`${url}/api/v1/memories`, { method: 'POST', headers, body: JSON.stringify({ content }) });

    test('carries REST, and tells programs the address that people use', async () => {
      assert.equal((await store('The harbour light is red.')).status, 201);
      const answer = await fetch(`${url}/.well-known/oauth-authorization-server`);
      const { issuer, token_endpoint } = (await answer.json()) as Record<string, string>;
      assert.deepEqual([issuer, new URL(token_endpoint!).origin], [url, url]);
      const refused = await fetch(`${url}/mcp`, { method: 'POST', body: '{}' });
      assert.equal(refused.status, 401);
      assert.match(refused.headers.get('www-authenticate') ?? '', new RegExp(`resource_metadata="${url}/`));
    });

    test('carries MCP over Streamable HTTP and over the older transport, whose messages find their stream', async () => {
      const client = new Client({ name: 'proxied', version: '1' });
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
          requestInit: { headers: { Authorization: headers.authorization! } },
        }),
      );
      const sse = await connectSse(`${url}/mcp/sse`, nodes.token);
      for (let i = 0; i < 5; i++) {
        const found = await client.callTool({ name: 'memory_search', arguments: { query: 'harbour light' } });
        assert.match(JSON.stringify(found.content), /harbour light is red/);
        assert.match(
          JSON.stringify(await sse.call('memory_search', { query: 'harbour light' })),
          /harbour light is red/,
        );
      }
      await client.close();
      await sse.close();
    });

    test('holds no event back', async () => {
      const stream = await openRawStream(`${url}/api/v1/events`, headers);
      assert.equal((await stream.next())?.event, 'connection_established');
      for (const content of ['first told', 'second told']) {
        await store(content);
        assert.equal((await stream.next())?.event, 'memory_stored');
      }
      await stream.close();
    });

    test('lets a large import through to the node, which says what is wrong with it', async () => {
      const body = `${randomBytes(5_000).toString('hex')}\n`.repeat(UPLOAD_BYTES / 10_000);
      const answer = await fetch(`${url}/api/v1/import`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-ndjson' },
        body,
      });
      assert.deepEqual([answer.status, ((await answer.json()) as { code: string }).code], [400, 'invalid_input']);
    });

    test('goes on with the other node when one dies; a session of the older transport that died with it is not found', async () => {
      const lost = await openRawStream(`${url}/mcp/sse`, headers);
      const messages = `${url}${(await lost.next())?.data}`;
      const ping = () =>
        fetch(messages, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) });
      assert.equal((await ping()).status, 202);
      for (const [index, node] of nodes.nodes.entries()) {
        const path = messages.slice(url.length);
        const direct = await fetch(`${node.url}${path}`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' }),
        });
        if (direct.status !== 202) {
          assert.equal(direct.status, 404);
          continue;
        }
        await nodes.kill(index);
        break;
      }
      assert.equal(
        await lost
          .next()
          .then(() => lost.next())
          .then(() => lost.next()),
        null,
      );
      assert.equal((await ping()).status, 404);
      await lost.close();
      assert.equal((await store('Stored when one node was gone.')).status, 201);
      const again = await connectSse(`${url}/mcp/sse`, nodes.token);
      assert.match(
        JSON.stringify(await again.call('memory_search', { query: 'one node was gone' })),
        /one node was gone/,
      );
      await again.close();
    });
  });
}

async function answerWith(status: number): Promise<{ url: string; server: Server }> {
  const server = createServer(({ url }, response) => {
    response.writeHead(url === '/health' ? 200 : status).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

for (const name of ['nginx', 'caddy'] as const) {
  const skip = missingProxy(name);
  test(`${name} with the file of deploy/ leaves out a node that answers 503`, { skip }, async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    const write = { method: 'POST', body: '{}' };
    const seen: number[][] = [];
    // A client belongs to one of the two by its address: to nginx by their order, to Caddy by their addresses too.
    for (
      let round = 0;
      round < 16 && (round < 2 || (name === 'caddy' && seen.every(([first]) => first !== 503)));
      round++
    ) {
      const servers = [await answerWith(round % 2 === 0 ? 503 : 201), await answerWith(round % 2 === 0 ? 201 : 503)];
      const port = await findFreePort();
      const urls = servers.map(({ url }) => url);
      const proxy = await startRealProxy(name, port, urls);
      const ask = async (init: RequestInit = {}) => (await fetch(`https://localhost:${port}/mcp`, init)).status;
      // nginx counts no answers to writes, and asks the other node for what is read.
      const statuses = [await ask(name === 'caddy' ? write : {})];
      for (let i = 0; i < 3; i++) statuses.push(await ask(write));
      await proxy.stop();
      for (const { server } of servers) server.close();
      seen.push(statuses);
    }
    for (const [, ...later] of seen) assert.deepEqual(later, [201, 201, 201], JSON.stringify(seen));
    assert.equal(
      seen.some(([first]) => first === 503),
      name === 'caddy',
      JSON.stringify(seen),
    );
  });
}

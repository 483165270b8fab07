import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openRawStream } from './raw-sse.ts';
import { makeServeFolder, removeFolder, type ServeProcess, startServe } from './serve-process.ts';

const folder = makeServeFolder({ alice: 'alice', bob: 'bob' });
let server: ServeProcess;
before(async () => {
  const args = ['--db', join(folder, 'memory.db'), '--tokens-file', 'user_tokens.json', '--embedder', 'none'];
  server = await startServe(folder, [...args, '--max-streams', '4']);
});
after(async () => {
  await server.stop();
  removeFolder(folder);
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'probe', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const post = (method: string, params: object) =>
  fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      ...bearer('bob'),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...('name' in params && { 'mcp-name': String(params.name) }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } }),
  });

test('beyond its limit a server refuses streams with 503 and says when to try again, and answers all the same', async () => {
  const paths = ['/api/v1/events', '/sse', '/mcp/sse', '/api/v1/events'];
  const open = await Promise.all(paths.map((path) => openRawStream(server.url + path, bearer('alice'))));
  assert.deepEqual(
    open.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  for (const path of ['/api/v1/events', '/sse', '/mcp/sse']) {
    const response = await fetch(server.url + path, { headers: bearer('bob') });
    assert.equal(response.status, 503, path);
    assert.equal(response.headers.get('retry-after'), '30');
    const problem = (await response.json()) as { code: string; detail: string; hint: string };
    assert.deepEqual([problem.code, problem.detail], ['busy', 'This server has 4 streams open, and takes no more.']);
    assert.match(problem.hint, /max_streams/);
  }
  const listen = { notifications: { resourceSubscriptions: ['memory://stats'] } };
  assert.equal((await post('subscriptions/listen', listen)).status, 503);
  const called = await post('tools/call', { name: 'memory_store', arguments: { content: 'a call is no stream' } });
  assert.match(await called.text(), /"outcome":"stored"/);
  await open[0]!.close();
  const again = await untilFree(() => openRawStream(`${server.url}/api/v1/events`, bearer('bob')));
  assert.equal((await again.next())!.event, 'connection_established');
  for (const stream of [...open.slice(1), again]) await stream.close();
});

/** The server hears a little later that a client has left. */
async function untilFree<T extends { status: number; close(): Promise<void> }>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer.status === 200) return answer;
    await answer.close();
  }
}

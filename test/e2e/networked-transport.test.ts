// Rows N1 to N13 and N19 to N24 of the networked server's checklist: `ltm serve` as a process, a tokens file, the SDK's client of the older transport.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { PLAIN_ENV, PROGRAM } from './program.ts';
import { openRawStream, type RawStream } from './raw-sse.ts';
import {
  connectSse,
  failServe,
  makeServeFolder,
  removeFolder,
  type ServeProcess,
  startServe,
  writeTokens,
} from './serve-process.ts';

const TOKENS = { 'alice-laptop': 'alice', 'alice-desk': 'alice', 'bob-laptop': 'bob', 'short-lived': 'carol' };
const MESSAGE = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

let server: ServeProcess;
const folder = makeServeFolder(TOKENS);
before(async () => {
  server = await startServe(folder, ['--tokens-file', 'user_tokens.json', '--db', 'memory.db']);
});
after(async () => {
  await server.stop();
  removeFolder(folder);
});

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
const post = (path: string, token: string | null, body: string): Promise<Response> =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== null && bearer(token)) },
    body,
  });
const openStream = (token: string): Promise<RawStream> => openRawStream(`${server.url}/mcp/sse`, bearer(token));

test('N1 and N2: the stream opens, and its first event names where messages go', async (t) => {
  const stream = await openStream('alice-laptop');
  t.after(() => stream.close());
  assert.equal(stream.status, 200);
  assert.match(stream.headers.get('content-type')!, /^text\/event-stream/);
  const first = await stream.next();
  assert.equal(first?.event, 'endpoint');
  assert.match(first!.data, /^\/mcp\/messages\/\?session_id=[0-9a-f]{32}$/);
});

test('N3: a message is accepted, and its answer comes on the stream', async (t) => {
  const stream = await openStream('alice-laptop');
  t.after(() => stream.close());
  const endpoint = (await stream.next())!.data;
  const params = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'curl', version: '8' } };
  const response = await post(
    endpoint,
    'alice-laptop',
    JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'initialize', params }),
  );
  assert.deepEqual([response.status, await response.text()], [202, 'Accepted']);
  const answer = (await stream.next())!;
  assert.equal(answer.event, 'message');
  const { id, result } = JSON.parse(answer.data);
  assert.deepEqual([id, result.protocolVersion, result.serverInfo.name], [7, '2024-11-05', 'ltm']);
});

test('N4: wrong messages are told apart', async (t) => {
  const stream = await openStream('alice-laptop');
  t.after(() => stream.close());
  const endpoint = (await stream.next())!.data;
  const status = async (path: string, body = MESSAGE): Promise<number> =>
    (await post(path, 'alice-laptop', body)).status;
  assert.equal(await status('/mcp/messages/'), 400);
  assert.equal(await status('/mcp/messages'), 400);
  assert.equal(await status('/mcp/messages/?session_id=nonsense'), 400);
  assert.equal(await status(`/mcp/messages/?session_id=${'0'.repeat(32)}`), 404);
  assert.equal(await status(endpoint, '{"jsonrpc": '), 400);
  assert.equal(await status(endpoint, '{"hello": "world"}'), 400);
  assert.equal(await status(endpoint), 202);
});

test('N5 and N6: without a right token in the header nothing opens, wherever else one stands', async () => {
  for (const path of ['/mcp/sse', '/sse']) {
    for (const headers of [{}, bearer('wrong'), { cookie: 'token=alice-laptop' }, { 'x-api-key': 'wrong' }]) {
      const response = await fetch(`${server.url}${path}?token=alice-laptop&api_key=alice-laptop`, {
        headers: headers as Record<string, string>,
      });
      assert.equal(response.status, 401);
      assert.match(response.headers.get('www-authenticate')!, /^Bearer/);
      assert.match(response.headers.get('content-type')!, /json/);
      await response.json();
    }
  }
  assert.equal((await post('/mcp/messages/', null, MESSAGE)).status, 401);
});

test('N6: after three hundred wrong tokens a right one works at once', async (t) => {
  await Promise.all(
    Array.from({ length: 300 }, (_, i) =>
      fetch(`${server.url}/mcp/sse`, { headers: bearer(`wrong-${i}`) }).then((answer) => answer.text()),
    ),
  );
  const stream = await openStream('alice-laptop');
  t.after(() => stream.close());
  assert.equal(stream.status, 200);
});

test('N7 and N22: a client with a header, as in the sample of VS Code, is shown the tools', async (t) => {
  const { client, close } = await connectSse(`${server.url}/mcp/sse`, 'alice-laptop');
  t.after(close);
  const names = (await client.listTools()).tools.map((tool) => tool.name);
  for (const name of [
    'store_memory',
    'retrieve_memory',
    'delete_memory',
    'list_memories',
    'list_repos',
    'memory_search',
  ])
    assert.ok(names.includes(name), name);
});

test('N8, N9 and N10: the tokens file says who is who', async (t) => {
  const laptop = await connectSse(`${server.url}/mcp/sse`, 'alice-laptop');
  const desk = await connectSse(`${server.url}/mcp/sse`, 'alice-desk');
  const bob = await connectSse(`${server.url}/mcp/sse`, 'bob-laptop');
  t.after(() => Promise.all([laptop.close(), desk.close(), bob.close()]));
  const { id } = await laptop.call('store_memory', {
    content: 'the canary of alice sings',
    repo_id: 'cage',
    key: 'canary',
  });
  assert.equal((await desk.call('retrieve_memory', { id })).memories[0].content, 'the canary of alice sings');
  const missing = '0'.repeat(20);
  const asked = (tool: string, args: Record<string, unknown>) => bob.invoke(tool, args);
  assert.deepEqual(await asked('retrieve_memory', { id }), await asked('retrieve_memory', { id: missing }));
  assert.deepEqual(await asked('delete_memory', { id }), await asked('delete_memory', { id: missing }));
  for (const tool of ['retrieve_memory', 'delete_memory'])
    assert.deepEqual(
      await asked(tool, { key: 'canary', repo_id: 'cage' }),
      await asked(tool, { key: 'nothing', repo_id: 'nowhere' }),
      tool,
    );
  assert.deepEqual(
    await asked('list_memories', { repo_id: 'cage' }),
    await asked('list_memories', { repo_id: 'nowhere' }),
  );
  assert.doesNotMatch(JSON.stringify(await asked('retrieve_memory', { query: 'canary sings' })), /canary of alice/);
  assert.equal((await desk.call('retrieve_memory', { id })).count, 1);
});

test("N13: another user's session does not exist; a second token of the same user may use it", async (t) => {
  const stream = await openStream('alice-laptop');
  t.after(() => stream.close());
  const endpoint = (await stream.next())!.data;
  const foreign = await post(endpoint, 'bob-laptop', MESSAGE);
  const unknown = await post(`/mcp/messages/?session_id=${'0'.repeat(32)}`, 'bob-laptop', MESSAGE);
  const shown = async (response: Response) => ({
    status: response.status,
    body: (await response.text()).replace(/"request_id":"[^"]+"/, ''),
  });
  assert.deepEqual(await shown(foreign), await shown(unknown));
  assert.equal(foreign.status, 404);
  assert.equal((await post(endpoint, 'alice-desk', MESSAGE)).status, 202);
});

test('N23: an agent that speaks stdio alone reaches the tools over our bridge', async (t) => {
  const client = new Client({ name: 'stdio-only', version: '1' });
  const env = { ...PLAIN_ENV, HOME: folder, LTM_TOKEN: 'alice-laptop' };
  const args = [PROGRAM, 'bridge', `${server.url}/mcp?tools=networked`];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  t.after(() => client.close());
  const names = (await client.listTools()).tools.map((tool) => tool.name);
  assert.deepEqual(names, ['store_memory', 'retrieve_memory', 'delete_memory', 'list_memories', 'list_repos']);
  const stored = await client.callTool({ name: 'store_memory', arguments: { content: 'carried over the bridge' } });
  assert.match(JSON.stringify(stored.structuredContent), /created_at/);
});

test('N24: when the stream is closed, its session is gone', async () => {
  const stream = await openStream('alice-laptop');
  const endpoint = (await stream.next())!.data;
  assert.equal((await post(endpoint, 'alice-laptop', MESSAGE)).status, 202);
  await stream.close();
  while ((await post(endpoint, 'alice-laptop', MESSAGE)).status !== 404) await sleep(20);
});

test('a token taken out of the file ends its streams, and those of others stay', async (t) => {
  const carol = await openStream('short-lived');
  const events = await openRawStream(`${server.url}/api/v1/events`, bearer('short-lived'));
  const alice = await openStream('alice-laptop');
  t.after(() => Promise.all([carol.close(), events.close(), alice.close()]));
  const endpoint = (await alice.next())!.data;
  await carol.next();
  await events.next();
  const { 'short-lived': _, ...rest } = TOKENS;
  writeTokens(folder, rest);
  assert.equal(await carol.next(), null);
  assert.equal((await events.next())?.event, 'connection_closed');
  assert.equal(await events.next(), null);
  assert.equal((await fetch(`${server.url}/mcp/sse`, { headers: bearer('short-lived') })).status, 401);
  assert.equal((await post(endpoint, 'alice-laptop', MESSAGE)).status, 202);
});

test('N19 and N21: `.env` names database and tokens file, the real environment wins, host and port can be chosen', async (t) => {
  const own = makeServeFolder({ 'from-env-file': 'dora' });
  t.after(() => removeFolder(own));
  writeFileSync(join(own, '.env'), '# paths\r\nLTM_DB_PATH="from file.db"\r\nMCP_TOKENS_PATH=\'user_tokens.json\'\r\n');
  writeFileSync(join(own, 'others.json'), '{"from-real-env":"emil"}', { mode: 0o600 });
  const status = async (url: string, token: string): Promise<number> => {
    const stream = await openRawStream(`${url}/mcp/sse`, bearer(token));
    await stream.close();
    return stream.status;
  };
  const first = await startServe(own, ['--host', '0.0.0.0']);
  try {
    assert.match(first.log(), /"plain_http"/);
    assert.deepEqual([await status(first.url, 'from-env-file'), await status(first.url, 'from-real-env')], [200, 401]);
    assert.ok(existsSync(join(own, 'from file.db')));
  } finally {
    await first.stop();
  }
  const second = await startServe(own, [], { MCP_TOKENS_PATH: 'others.json' });
  try {
    assert.deepEqual(
      [await status(second.url, 'from-env-file'), await status(second.url, 'from-real-env')],
      [401, 200],
    );
  } finally {
    await second.stop();
  }
});

test('a tokens file that is broken, empty or missing stops the start, and the error shows no token', async (t) => {
  const own = makeServeFolder(null);
  t.after(() => removeFolder(own));
  for (const content of ['{"secret-token": ', '{}', '["secret-token"]', null]) {
    if (content !== null) writeFileSync(join(own, 'broken.json'), content);
    const { code, output } = await failServe(own, ['--tokens-file', content === null ? 'missing.json' : 'broken.json']);
    assert.notEqual(code, 0);
    assert.match(output, /tokens file/);
    assert.doesNotMatch(output, /secret-token/);
  }
});

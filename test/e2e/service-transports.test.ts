// Rows 3 and 69 of mcp-memory-service's checklist, the choice of tools, and what happens to open streams when a credential dies.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { openStore } from '../../src/stores/open-store.ts';
import { silentLog } from '../open-test-engine.ts';
import type { Answer } from './mcp-process.ts';
import { PLAIN_ENV, PROGRAM } from './program.ts';
import { openRawStream } from './raw-sse.ts';
import { connectSse, makeServeFolder, removeFolder, type ServeProcess, startServe } from './serve-process.ts';

const folder = makeServeFolder(null);
const db = join(folder, 'memory.db');
let server: ServeProcess;
let token: string;
before(async () => {
  server = await startServe(folder, ['--db', db]);
  token = readFileSync(join(folder, 'owner-token'), 'utf8').trim();
});
after(async () => {
  await server.stop();
  removeFolder(folder);
});

const bearer = (): Record<string, string> => ({ authorization: `Bearer ${token}` });

test('row 3: the same tools of the service over /sse and /messages/, over /mcp, and /health beside them', async (t) => {
  assert.equal((await fetch(`${server.url}/health`)).status, 200);
  const sse = await connectSse(`${server.url}/sse`, token);
  const http = new Client({ name: 'row-3', version: '1' });
  await http.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp?tools=service`), {
      requestInit: { headers: bearer() },
    }),
  );
  t.after(() => Promise.all([sse.close(), http.close()]));
  const names = async (client: Client): Promise<string[]> => (await client.listTools()).tools.map((tool) => tool.name);
  assert.deepEqual(await names(sse.client), await names(http));
  const { content_hash: id } = await sse.call('memory_store', { content: 'stored over SSE' });
  const { structuredContent } = (await http.callTool({ name: 'memory_get', arguments: { id } })) as Answer;
  assert.equal(structuredContent.memories[0].content, 'stored over SSE');
  const stream = await openRawStream(`${server.url}/sse`, bearer());
  t.after(() => stream.close());
  assert.match((await stream.next())!.data, /^\/messages\/\?session_id=[0-9a-f]{32}$/);
});

test('row 69: agent and machine in the headers become label and tags, over REST and both MCP transports', async (t) => {
  const headers = { ...bearer(), 'x-agent-id': 'Crawler', 'x-client-hostname': 'Box-7' };
  const body = JSON.stringify({ content: 'written over REST by an agent', tags: ['a'] });
  const { memory } = (await (
    await fetch(`${server.url}/api/v1/memories`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    })
  ).json()) as Answer;
  assert.deepEqual(
    [memory.agent, memory.source.host, memory.tags],
    ['Crawler', 'Box-7', ['a', 'agent:crawler', 'source:box-7']],
  );
  const transports = [
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit: { headers } }),
    new SSEClientTransport(new URL(`${server.url}/sse`), { requestInit: { headers } }),
  ];
  for (const [i, transport] of transports.entries()) {
    const client = new Client({ name: 'row-69', version: '1' });
    await client.connect(transport);
    t.after(() => client.close());
    const stored = (await client.callTool({
      name: 'memory_store',
      arguments: { content: `written over MCP transport ${i}` },
    })) as Answer;
    const got = (await client.callTool({
      name: 'memory_get',
      arguments: { id: stored.structuredContent.content_hash },
    })) as Answer;
    const [shown] = got.structuredContent.memories;
    assert.deepEqual([shown.agent, shown.tags], ['Crawler', ['agent:crawler', 'source:box-7']]);
    const other = (await client.callTool({
      name: 'memory_store',
      arguments: { content: `on behalf of another, ${i}`, agent_id: 'Other', conversation_id: 'c' },
    })) as Answer;
    const again = (await client.callTool({
      name: 'memory_get',
      arguments: { id: other.structuredContent.content_hash },
    })) as Answer;
    assert.equal(again.structuredContent.memories[0].agent, 'Other', 'what a call says wins over the header');
  }
});

test('`ltm mcp --tools` chooses what an agent is shown, and a wrong family ends it with the known ones', async () => {
  const env = { ...PLAIN_ENV, HOME: folder };
  const listed = async (args: readonly string[], more: Record<string, string> = {}): Promise<string[]> => {
    const client = new Client({ name: 'families', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [PROGRAM, 'mcp', '--db', db, ...args],
        env: { ...env, ...more },
        stderr: 'ignore',
      }),
    );
    const { tools } = await client.listTools();
    await client.close();
    return tools.map((tool) => tool.name);
  };
  assert.deepEqual(await listed(['--tools', 'networked']), [
    'store_memory',
    'retrieve_memory',
    'delete_memory',
    'list_memories',
    'list_repos',
  ]);
  assert.equal((await listed([], { LTM_TOOLS: 'service' })).includes('memory_store'), true);
  assert.equal((await listed([])).length, 10);
  const child = spawn(process.execPath, [PROGRAM, 'mcp', '--tools', 'nowhere'], { env, stdio: 'pipe' });
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  const [code] = (await once(child, 'exit')) as [number];
  assert.notEqual(code, 0);
  assert.match(errors, /There is no tool family "nowhere"/);
  assert.match(errors, /core, .*networked/);
});

test('a token revoked by another process ends its streams of every kind', async (t) => {
  const listen = {
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: {
      notifications: { resourceSubscriptions: ['memory://tags'] },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'curl', version: '8' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  };
  const headers = {
    ...bearer(),
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'subscriptions/listen',
  };
  const listening = await fetch(`${server.url}/mcp`, { method: 'POST', headers, body: JSON.stringify(listen) });
  assert.match(listening.headers.get('content-type')!, /^text\/event-stream/);
  const [sse, events] = [
    await openRawStream(`${server.url}/mcp/sse`, bearer()),
    await openRawStream(`${server.url}/api/v1/events`, bearer()),
  ];
  t.after(() => Promise.all([sse.close(), events.close()]));
  await sse.next();
  await events.next();
  const store = await openStore(db, { clock: { now: Date.now }, log: silentLog });
  const [own] = await store.listTokens('owner');
  await store.changeIdentity([{ op: 'revoke_token', id: own!.id, at: Date.now() }], 'test');
  await store.close();
  await Promise.all([listening.text(), sse.next(), events.next()]);
  assert.equal(await sse.next(), null);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectClient, ERAS } from '../../test/conformance/connect-client.ts';
import {
  callerOf,
  healthOf,
  hitOf,
  MEMORY_ID,
  memoryOf,
  recordingLog,
  resultOf,
  stubEngine,
} from '../../test/conformance/stub-engine.ts';
import type { Caller } from '../model/caller.ts';
import { EngineError } from '../model/errors.ts';
import { createTools } from '../server/create-tools.ts';
import { createMcpHttpHandler } from './streamable-http.ts';

const URL_OF_MCP = 'http://127.0.0.1/mcp';

function post(body: unknown, headers: Record<string, string> = {}): Request {
  const all = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers };
  return new Request(URL_OF_MCP, { method: 'POST', headers: all, body: JSON.stringify(body) });
}

async function readAnswer(
  response: Response,
): Promise<{ id: unknown; result?: Record<string, unknown>; error?: { code: number; message: string } }> {
  const text = await response.text();
  const data = text.startsWith('{')
    ? text
    : text
        .split('\n')
        .find((line) => line.startsWith('data: {'))!
        .slice('data: '.length);
  return JSON.parse(data);
}

for (const mode of ERAS) {
  const era = mode === 'legacy' ? '2025' : '2026';

  test(`a ${era} client finds tools, resources and prompts at the one URL`, async (t) => {
    const search = async () => resultOf([hitOf({ snippet: 'stored text' })]);
    const engine = stubEngine({
      checkHealth: async () => healthOf(),
      search,
      countLabels: async () => [{ value: 'deploy', count: 2 }],
    });
    const { client, close } = await connectClient(engine, { mode });
    t.after(close);
    assert.equal(client.getServerVersion()?.name, 'ltm');
    assert.match(client.getInstructions() ?? '', /memory_search/);
    assert.equal((await client.listTools()).tools.length, 10);
    const found = await client.callTool({ name: 'memory_search', arguments: { query: 'x' } });
    assert.equal((found.structuredContent as { verdict: string }).verdict, 'found');
    const tags = await client.readResource({ uri: 'memory://tags' });
    assert.deepEqual(JSON.parse((tags.contents[0] as { text: string }).text), {
      tags: [{ value: 'deploy', count: 2 }],
    });
    const prompt = await client.getPrompt({ name: 'recall', arguments: { topic: 'deploy' } });
    assert.match((prompt.messages[0]!.content as { text: string }).text, /^ {3}\| stored text$/m);
  });

  test(`a ${era} client gets errors of tools as results it can read`, async (t) => {
    const { client, close } = await connectClient(stubEngine(), { mode });
    t.after(close);
    await client.listTools();
    const result = await client.callTool({ name: 'memory_store', arguments: { contnet: 'x' } });
    assert.equal(result.isError, true);
    assert.equal((result.structuredContent as { error: { hint: string } }).error.hint, 'Did you mean "content"?');
    await assert.rejects(client.callTool({ name: 'nothing', arguments: {} }), /Unknown tool/);
    await assert.rejects(client.readResource({ uri: 'memory://nowhere' }), /not found/i);
    await assert.rejects(client.getPrompt({ name: 'recall', arguments: {} }), /needs the argument topic/);
  });

  test(`what a ${era} client stores carries the name it gave itself`, async (t) => {
    let stored: Caller | undefined;
    const engine = stubEngine({
      storeMemory: async (caller) => {
        stored = caller;
        return { outcome: 'duplicate', memory: memoryOf(), warnings: [], searchableBy: 'text', redactions: [] };
      },
    });
    const { client, close } = await connectClient(engine, { mode, sessions: true });
    t.after(close);
    await client.callTool({ name: 'memory_store', arguments: { content: 'x' } });
    assert.equal(stored?.client, 'probe/1');
    assert.equal(stored?.userId, 'ada');
  });
}

test('resources of a list, a tag, a search and one memory can be read', async (t) => {
  const seen: unknown[] = [];
  const engine = stubEngine({
    listMemories: async (_, input) => {
      seen.push(input);
      return { items: [memoryOf()], total: 1, cursor: null };
    },
    getMemories: async (_, { refs }) =>
      refs[0] === MEMORY_ID ? { memories: [memoryOf()], missing: [] } : { memories: [], missing: [...refs] },
    search: async (_, query) => {
      seen.push(query);
      return resultOf([]);
    },
    checkHealth: async () => healthOf(),
    countLabels: async () => [],
  });
  const { client, close } = await connectClient(engine);
  t.after(close);
  for (const uri of [
    'memory://recent/5',
    'memory://tag/two%20words',
    'memory://search/a%2Fb',
    'memory://stats',
    'memory://types',
  ])
    await client.readResource({ uri });
  assert.deepEqual(seen, [
    { page: { limit: 5 } },
    { page: { limit: 100 }, filter: { tags: ['two words'] } },
    { query: 'a/b' },
  ]);
  const record = await client.readResource({ uri: `memory://record/${MEMORY_ID}` });
  assert.equal(JSON.parse((record.contents[0] as { text: string }).text).content, memoryOf().content);
  for (const uri of [
    'memory://record/none',
    'memory://recent/0',
    'memory://recent/x',
    'memory://tag/%zz',
    'memory://constructor',
  ])
    await assert.rejects(client.readResource({ uri }), /not found/i, uri);
});

test('no answer reaches another client when ids collide', async () => {
  const engine = stubEngine({
    search: async (caller) => {
      await sleep(Math.random() * 5);
      return resultOf([hitOf({ title: `of ${caller.userId}` })]);
    },
  });
  const handler = createMcpHttpHandler(engine, { log: recordingLog(), tools: await createTools() });
  const users = Array.from({ length: 100 }, (_, index) => `user${index}`);
  await Promise.all(
    users.map(async (user, index) => {
      const meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const isModern = index % 2 === 0;
      const body = {
        jsonrpc: '2.0',
        id: 0,
        method: 'tools/call',
        params: { name: 'memory_search', arguments: { query: 'x' }, ...(isModern && { _meta: meta }) },
      };
      const headers = isModern
        ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'memory_search' }
        : { 'mcp-protocol-version': '2025-11-25' };
      const { result } = await readAnswer(
        await handler.handle(post(body, headers as Record<string, string>), callerOf(user), body),
      );
      assert.ok(JSON.stringify(result).includes(`of ${user}"`), `${user} got ${JSON.stringify(result)}`);
    }),
  );
  await handler.close();
});

test('a long batch is refused', async () => {
  const handler = createMcpHttpHandler(stubEngine(), { log: recordingLog(), tools: await createTools() });
  const batch = Array.from({ length: 51 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
  assert.equal((await handler.handle(post(batch), callerOf(), batch)).status, 400);
  await handler.close();
});

test('without sessions a 2025 client needs none and GET is refused', async () => {
  const handler = createMcpHttpHandler(stubEngine(), { log: recordingLog(), tools: await createTools() });
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  assert.equal((await handler.handle(post(list), callerOf(), list)).status, 200);
  assert.equal(
    (await handler.handle(new Request(URL_OF_MCP, { headers: { accept: 'text/event-stream' } }), callerOf())).status,
    405,
  );
  await handler.close();
});

test('a session answers only the user who opened it, with the scopes each request proves', async () => {
  const engine = stubEngine({ restoreMemories: async () => ({ restored: [memoryOf()], missing: [] }) });
  const handler = createMcpHttpHandler(engine, { log: recordingLog(), tools: await createTools(), sessions: true });
  const initialize = {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'p', version: '1' } },
  };
  const opened = await handler.handle(post(initialize), callerOf('ada'), initialize);
  const session = opened.headers.get('mcp-session-id');
  assert.ok(session);
  await opened.text();
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'memory_restore', arguments: { id: 'x' } },
  };
  const send = (caller: Caller): Promise<Response> =>
    handler.handle(post(call, { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }), caller, call);
  assert.equal((await readAnswer(await send(callerOf('ada')))).result?.isError, undefined);
  assert.match(JSON.stringify((await readAnswer(await send(callerOf('ada', ['read'])))).result), /forbidden/);
  assert.equal((await send(callerOf('eve'))).status, 404);
  assert.equal(
    (
      await handler.handle(
        new Request(URL_OF_MCP, { method: 'DELETE', headers: { 'mcp-session-id': session } }),
        callerOf('ada'),
      )
    ).status,
    200,
  );
  assert.equal((await send(callerOf('ada'))).status, 404);
  await handler.close();
});

test('a failure of the engine to open is told to the caller of the tool', async (t) => {
  const engine = stubEngine({
    search: async () => {
      throw new EngineError('busy', 'The database is busy.');
    },
  });
  const { client, close } = await connectClient(engine);
  t.after(close);
  const result = await client.callTool({ name: 'memory_search', arguments: { query: 'x' } });
  assert.match(JSON.stringify(result.content), /^.*busy: The database is busy/);
});

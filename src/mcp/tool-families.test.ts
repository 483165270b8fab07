import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectClient } from '../../test/conformance/connect-client.ts';
import { callerOf, recordingLog, stubEngine } from '../../test/conformance/stub-engine.ts';
import { engineError } from '../../test/open-test-engine.ts';
import { createMcpHttpHandler, familiesIn } from './streamable-http.ts';
import { readFamilies, TOOL_FAMILIES } from './tool-families.ts';
import { SERVICE_ARGUMENTS } from './tools/service/service-arguments.ts';
import { FAMILIES, findTool, listTools } from './tools.ts';

const namesOf = (families: Parameters<typeof listTools>[0]): string[] => listTools(families).map((tool) => tool.name);

test('families are read in any order and spelling, and listed in one order', () => {
  assert.deepEqual(readFamilies('networked, CORE,core'), ['core', 'networked']);
  assert.deepEqual(readFamilies('all'), TOOL_FAMILIES);
  assert.equal(familiesIn('http://x/mcp'), null);
  assert.deepEqual(familiesIn('http://x/mcp?tools=networked'), ['networked']);
  assert.deepEqual(familiesIn('http://x/mcp?tools=networked&tools=core'), ['core', 'networked']);
});

test('a family that does not exist is named, and so are those that do', () => {
  for (const text of ['coer', 'core,nothing', '', ' , '])
    assert.throws(() => readFamilies(text), engineError('invalid_input'), text);
  assert.throws(() => readFamilies('workspaces'), engineError('invalid_input', /no tool family "workspaces"/));
  assert.throws(
    () => readFamilies('coer'),
    (error: { hint?: string }) => /core, networked/.test(error.hint ?? ''),
  );
});

test('each family lists the names of the system it stands in for', () => {
  assert.deepEqual(namesOf(['networked']), [
    'store_memory',
    'retrieve_memory',
    'delete_memory',
    'list_memories',
    'list_repos',
  ]);
  assert.deepEqual(namesOf(['service']), [
    'memory_store',
    'memory_search',
    'memory_list',
    'memory_update',
    'memory_delete',
    'memory_health',
  ]);
  assert.deepEqual(namesOf(['core', 'networked']), [...namesOf(['core']), ...namesOf(['networked'])]);
  assert.equal(namesOf(['core', 'service']).length, namesOf(['core']).length, 'a tool of two families is listed once');
});

test('the family of mcp-memory-service shows its own arguments, and core stays as it is beside it', () => {
  const argumentsOf = (families: Parameters<typeof listTools>[0], name: string) =>
    Object.keys(listTools(families).find((tool) => tool.name === name)!.inputSchema.properties as object);
  assert.deepEqual(argumentsOf(['service'], 'memory_update'), [
    'content_hash',
    'updates',
    'preserve_timestamps',
    'versioned',
  ]);
  for (const name of ['time_expr', 'quality_boost', 'max_response_chars', 'entity'])
    assert.ok(argumentsOf(['service'], 'memory_search').includes(name), name);
  for (const [name, shown] of SERVICE_ARGUMENTS) assert.deepEqual(argumentsOf(['service'], name), shown);
  assert.deepEqual(argumentsOf(['core', 'service'], 'memory_search'), argumentsOf(['core'], 'memory_search'));
});

test('a name belongs to one tool, and every tool can be found', () => {
  const tools = new Set(Object.values(FAMILIES).flat());
  assert.equal(new Set([...tools].map((tool) => tool.name)).size, tools.size);
  for (const tool of tools) assert.equal(findTool(tool.name), tool);
});

test('the address chooses what is listed; every tool can be called whichever are', async (t) => {
  const engine = stubEngine({ countLabels: async () => [{ value: 'port', count: 2 }] });
  const handler = createMcpHttpHandler(engine, { log: recordingLog() });
  t.after(() => handler.close());
  const post = async (
    address: string,
    method: string,
    params: Record<string, unknown>,
  ): Promise<Record<string, unknown>> => {
    const body = { jsonrpc: '2.0', id: 1, method, params };
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    };
    const request = new Request(address, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await (await handler.handle(request, callerOf(), body)).text();
    return JSON.parse(text.slice(text.indexOf('{'))).result;
  };
  const listed = async (address: string): Promise<string[]> =>
    ((await post(address, 'tools/list', {})).tools as { name: string }[]).map(({ name }) => name);
  assert.deepEqual(await listed('http://127.0.0.1/mcp?tools=networked'), namesOf(['networked']));
  assert.deepEqual(await listed('http://127.0.0.1/mcp'), namesOf(['core']));
  const answer = await post('http://127.0.0.1/mcp', 'tools/call', { name: 'list_repos', arguments: {} });
  assert.deepEqual(answer.structuredContent, { repos: [{ repo_id: 'port', count: 2 }] });
});

test('an operator who chooses families changes what is listed', async (t) => {
  const { client, close } = await connectClient(stubEngine(), { families: ['networked'] });
  t.after(close);
  assert.deepEqual(
    (await client.listTools()).tools.map((tool) => tool.name),
    namesOf(['networked']),
  );
});

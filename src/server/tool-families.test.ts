import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectClient } from '../../test/conformance/connect-client.ts';
import { callerOf, recordingLog, stubEngine } from '../../test/conformance/stub-engine.ts';
import { engineError } from '../../test/open-test-engine.ts';
import { TOOL_FAMILIES } from '../mcp/family-names.ts';
import { createMcpHttpHandler } from '../mcp/streamable-http.ts';
import { familiesIn, readFamilies } from '../mcp/tool-table.ts';
import { createTools } from './create-tools.ts';

const table = await createTools();
const namesOf = (families: readonly string[]): string[] => table.list(families).tools.map((tool) => tool.name);
const readNames = (text: string) => readFamilies(text, TOOL_FAMILIES);
const inAddress = (url: string) => familiesIn(url, TOOL_FAMILIES);

test('families are read in any order and spelling, and listed in one order', () => {
  assert.deepEqual(readNames('networked, CORE,core'), ['core', 'networked']);
  assert.deepEqual(readNames('all'), TOOL_FAMILIES);
  assert.equal(inAddress('http://x/mcp'), null);
  assert.deepEqual(inAddress('http://x/mcp?tools=networked'), ['networked']);
  assert.deepEqual(inAddress('http://x/mcp?tools=networked&tools=core'), ['core', 'networked']);
});

test('a family that does not exist is named, and so are those that do', () => {
  for (const text of ['coer', 'core,nothing', '', ' , '])
    assert.throws(() => readNames(text), engineError('invalid_input'), text);
  assert.throws(
    () => readNames('coer'),
    (error: { hint?: string }) => /^Choose from core, .*networked, .*or all\.$/.test(error.hint ?? ''),
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
  assert.deepEqual(namesOf(['core', 'networked']), [...namesOf(['core']), ...namesOf(['networked'])]);
  const [core, service] = [namesOf(['core']), namesOf(['service'])];
  assert.deepEqual(namesOf(['core', 'service']), [...core, ...service.filter((name) => !core.includes(name))]);
});

test('the family of mcp-memory-service shows its own arguments, and core stays as it is beside it', () => {
  const argumentsOf = (families: readonly string[], name: string) =>
    Object.keys(table.list(families).tools.find((tool) => tool.name === name)!.inputSchema.properties as object);
  assert.deepEqual(argumentsOf(['service'], 'memory_update'), [
    'content_hash',
    'updates',
    'preserve_timestamps',
    'versioned',
  ]);
  for (const name of ['time_expr', 'quality_boost', 'max_response_chars', 'entity'])
    assert.ok(argumentsOf(['service'], 'memory_search').includes(name), name);
  assert.deepEqual(argumentsOf(['core', 'service'], 'memory_search'), argumentsOf(['core'], 'memory_search'));
});

test('a name belongs to one tool, and every tool can be found', () => {
  assert.equal(new Set(table.tools.map((tool) => tool.name)).size, table.tools.length);
  for (const tool of table.tools) assert.equal(table.find(tool.name), tool);
  for (const name of namesOf(TOOL_FAMILIES)) assert.equal(table.find(name)?.name, name);
});

test('of two tools with one name, the one that is listed answers', () => {
  for (const name of ['memory_store', 'memory_search']) {
    assert.notEqual(table.find(name, ['service']), table.find(name), name);
    assert.equal(table.find(name, ['core', 'service']), table.find(name), name);
  }
  assert.notEqual(table.find('store_memory', ['service']), table.find('store_memory', ['networked']));
  assert.equal(table.find('store_memory', ['networked']), table.find('store_memory'));
});

test('the address chooses what is listed; every tool can be called whichever are', async (t) => {
  const engine = stubEngine({ countLabels: async () => [{ value: 'port', count: 2 }] });
  const handler = createMcpHttpHandler(engine, { log: recordingLog(), tools: await createTools() });
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

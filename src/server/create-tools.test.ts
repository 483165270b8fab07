import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openTestApp } from '../../test/open-test-app.ts';
import { VERBS } from '../features/verb-table.ts';
import { TOOL_FAMILIES } from '../mcp/family-names.ts';
import { INSTRUCTIONS, SERVER_IDENTITY } from '../mcp/server-identity.ts';
import { defineVerb } from '../verbs/verb.ts';
import { createTools } from './create-tools.ts';

const table = await createTools();
const listTools = (families: readonly string[]) => table.list(families).tools;

const NAMES = [
  'memory_store',
  'memory_search',
  'memory_get',
  'memory_list',
  'memory_update',
  'memory_delete',
  'memory_restore',
  'memory_health',
  'search',
  'fetch',
];

test('lists the tools of core in the order in which agents have always seen them', () => {
  assert.deepEqual(
    listTools(['core']).map((tool) => tool.name),
    NAMES,
  );
});

const greet = defineVerb<{ whom: string }, string>({
  needs: 'read',
  input: { whom: { type: 'label', isRequired: true } },
  run: async (_, { whom }) => `Hello ${whom}`,
  tool: {
    name: 'greet',
    title: 'Greet',
    text: 'Say hello.',
    shown: { whom: 'Who' },
    output: { message: { type: 'string' } },
    answer: (message) => ({ structured: { message } }),
  },
});

test('a verb that is added to the table with a tool is listed in core, and called like the others', async (t) => {
  const app = await openTestApp({}, undefined, { greet });
  t.after(() => app.close());
  const ask = async (method: string, params: object): Promise<string> => {
    const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
    const json = { jsonrpc: '2.0', id: 1, method, params };
    return (await app.request('POST', '/mcp', { json, headers, token: app.tokens.read })).text();
  };
  assert.match(await ask('tools/list', {}), /"name":"greet","title":"Greet"/);
  assert.match(await ask('tools/call', { name: 'greet', arguments: { whom: 'Ada' } }), /"message":"Hello Ada"/);
  assert.ok(!JSON.stringify((await createTools({ ...VERBS, greet })).list(['service'])).includes('greet'));
});

test('the whole list stays under 2,000 tokens', () => {
  const characters = JSON.stringify({ tools: listTools(['core']) }).length;
  // 3.6 characters a token: JSON of this kind takes fewer tokens than that with every tokenizer tried
  assert.ok(characters / 3.6 < 2000, `${characters} characters`);
});

test('the instructions are short', () => {
  assert.ok(INSTRUCTIONS.length <= 600, `${INSTRUCTIONS.length} characters`);
});

test('reading tools are marked as such, and only they', () => {
  const reading = ['memory_search', 'memory_get', 'memory_list', 'memory_health', 'search', 'fetch'];
  for (const { name, annotations } of listTools(['core'])) {
    assert.equal(annotations.readOnlyHint === true, reading.includes(name), name);
    assert.equal(annotations.openWorldHint, false, name);
  }
  const destructive = listTools(['core']).filter((tool) => tool.annotations.destructiveHint === true);
  assert.deepEqual(
    destructive.map((tool) => tool.name),
    ['memory_update', 'memory_delete'],
  );
});

test('three tools are loaded at once by clients that load the rest on demand', () => {
  const loaded = listTools(['core']).filter(
    (tool) => (tool._meta as Record<string, unknown> | undefined)?.['anthropic/alwaysLoad'] === true,
  );
  assert.deepEqual(
    loaded.map((tool) => tool.name),
    ['memory_store', 'memory_search', 'memory_get'],
  );
});

test('schemas use only what every client understands', () => {
  const walk = (schema: unknown, path: string): void => {
    if (Array.isArray(schema)) return;
    if (typeof schema !== 'object' || schema === null) return;
    const { type } = schema as { type?: unknown };
    assert.ok(!Array.isArray(type), `${path} has a list of types`);
    for (const keyword of ['anyOf', 'oneOf', 'allOf', '$ref', '$defs', 'not', 'additionalProperties'])
      assert.ok(!(keyword in schema), `${path}.${keyword}`);
    for (const [key, value] of Object.entries(schema)) walk(value, `${path}.${key}`);
  };
  for (const tool of listTools(TOOL_FAMILIES)) {
    walk(tool.inputSchema, tool.name);
    walk(tool.outputSchema, tool.name);
  }
});

test('an error is a valid answer to every output schema', () => {
  for (const tool of listTools(TOOL_FAMILIES))
    assert.ok(!JSON.stringify(tool.outputSchema).includes('"required"'), tool.name);
});

test('the version is that of the package', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  assert.equal(SERVER_IDENTITY.version, version);
});

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { callTool } from '../../src/mcp/call-tool.ts';
import { createTools } from '../../src/server/create-tools.ts';
import { makeCaller, openTestEngine, silentLog, type TestEngine } from '../open-test-engine.ts';

const tools = await createTools();
const agent = makeCaller('mcp', { client: 'codex/1' });
const person = makeCaller('cli');

let opened: TestEngine;
let id = '';
before(async (t) => {
  opened = await openTestEngine(t as never);
  const texts = ['The Zanzibar ferry of @zanzi leaves at six.', 'The Zanzibar pier is closed.', 'Zanzibar has cloves.'];
  for (const content of texts) {
    const stored = await opened.engine.storeMemory(agent, { content, tags: 'boats', project: 'global' });
    id = 'memory' in stored ? stored.memory.id : '';
  }
  await opened.engine.storeMemory(person, { content: 'Zanzibar is on my list.', tags: 'boats', project: 'global' });
});

const query = 'Zanzibar';
const ASKED: readonly (readonly [name: string, args: () => object, family?: string])[] = [
  ['memory_search', () => ({ query })],
  ['memory_list', () => ({})],
  ['memory_get', () => ({ id })],
  ['search', () => ({ query })],
  ['fetch', () => ({ id })],
  ['memory_about', () => ({ name: '@zanzi' })],
  ['memory_diff', () => ({ from: '2020-01-01' })],
  ['memory_graph', () => ({ action: 'subgraph', ref: id })],
  ['memory_search', () => ({ query }), 'service'],
  ['memory_list', () => ({}), 'service'],
  ['memory_graph', () => ({ action: 'subgraph', hash: id }), 'service'],
  ['recall_memory', () => ({ query })],
  ['search_by_tag', () => ({ tags: ['boats'] })],
  ['memory_detail', () => ({ entity_id: '@zanzi' })],
  ['retrieve_memory', () => ({ id })],
  ['list_memories', () => ({})],
];

async function call(name: string, args: object, families: string[]): Promise<{ texts: string; structured: string }> {
  const open = async () => ({ engine: opened.engine, caller: agent });
  const result = await callTool(tools.find(name, families)!, { ...args }, { open, log: silentLog });
  assert.notEqual(result.isError, true, `${name}: ${JSON.stringify(result.content)}`);
  const texts = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  return { texts, structured: JSON.stringify(result.structuredContent) };
}

for (const [name, args, ...families] of ASKED)
  test(`${[name, ...families].join(' of ')} says the trust and source of what its reader has stored, too`, async () => {
    const { texts, structured } = await call(name, args(), families as string[]);
    for (const form of [texts, structured]) {
      assert.match(form, /trust"?: ?"?agent/i, form);
      assert.match(form, /mcp codex\/1/, form);
    }
  });

test('what most hits have in common is said once, and what differs stands beside its text', async () => {
  for (const name of ['memory_search', 'memory_list']) {
    const { structured } = await call(name, name === 'memory_list' ? {} : { query }, []);
    assert.equal(structured.split('mcp codex/1').length - 1, 1, structured);
    const answer = JSON.parse(structured) as Record<string, unknown>;
    const items = (answer.hits ?? answer.memories) as Record<string, unknown>[];
    assert.deepEqual([answer.trust, answer.source], ['agent', 'mcp codex/1']);
    const own = items.filter(({ trust }) => trust !== undefined);
    assert.deepEqual(
      own.map(({ trust, source }) => [trust, source]),
      [['user', 'cli']],
    );
  }
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openMemory } from '../../src/index.ts';
import { type PacketServer, packetText, runLtm, startPacketServer } from './packet-server.ts';

const TIMES = 20;
const MCP = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

let server: PacketServer;
let db: string;
before(async () => {
  server = await startPacketServer();
  db = join(server.folder, 'memory.db');
});
after(() => server.close());

async function keep(content: string): Promise<string> {
  const { json } = await server.call('POST', '/api/v1/memories', {
    body: { content },
    headers: { 'content-type': 'application/json' },
  });
  return json.memory.id;
}

/** How many of the deletions were reported in all, when all are asked for at the same moment. */
async function sumOf(attempt: () => Promise<number>): Promise<number> {
  const counts = await Promise.all(Array.from({ length: TIMES }, attempt));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function callTool(family: string, name: string, args: object): Promise<Record<string, unknown>> {
  const { body } = await server.call('POST', `/mcp?tools=${family}`, {
    headers: MCP,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  });
  return JSON.parse(body.slice(body.indexOf('{'))).result;
}

test('of twenty who delete a memory over REST at once, one is told that it is deleted', async () => {
  const one = await keep('deleted by its address');
  assert.equal(
    await sumOf(async () => ((await server.call('DELETE', `/api/v1/memories/${one}`)).status < 300 ? 1 : 0)),
    1,
  );
  const headers = { 'content-type': 'application/json' };
  for (const what of ['ids', 'contains']) {
    const id = await keep(`deleted by ${what}, zyzzyva`);
    const body = what === 'ids' ? { ids: [id] } : { contains: 'zyzzyva' };
    const asked = async () => (await server.call('POST', '/api/v1/memories/delete', { body, headers })).json.count;
    assert.equal(await sumOf(asked), 1, what);
  }
});

const TOOLS: readonly [family: string, tool: string, args: (id: string) => object, count: string][] = [
  ['core', 'memory_delete', (id) => ({ id }), 'count'],
  ['service', 'memory_delete', (id) => ({ content_hash: id }), 'count'],
  ['networked', 'delete_memory', (id) => ({ id, repo_id: 'r' }), 'deleted'],
];

for (const [family, tool, args, count] of TOOLS)
  test(`of twenty who call ${tool} of the family ${family} at once, one is told that it is deleted`, async () => {
    const { json } = await server.call('POST', '/api/v1/memories', {
      body: { content: `deleted by ${family}`, project: 'r' },
      headers: { 'content-type': 'application/json' },
    });
    const asked = async () => {
      const { structuredContent, isError } = (await callTool(family, tool, args(json.memory.id))) as {
        structuredContent: Record<string, number>;
        isError?: boolean;
      };
      assert.ok(isError !== true || structuredContent[count] === undefined);
      return structuredContent[count] ?? 0;
    };
    assert.equal(await sumOf(asked), 1);
  });

test('of twenty who delete a packet at once, over HTTP or as a tool, one is told that it is deleted', async () => {
  const headers = { 'content-type': 'application/json' };
  const id = '01k9x2m4q8b7c6d5e4f3aaaaaa';
  const save = async () => (await server.call('POST', '/v1/packets', { body: packetText({ id }), headers })).json.id;
  const saved: string = await save();
  assert.equal(
    await sumOf(async () => ((await server.call('DELETE', `/v1/packets/${saved}`)).status === 204 ? 1 : 0)),
    1,
  );
  await save();
  assert.equal(await sumOf(async () => ((await callTool('packets', 'rm', { id: saved })).isError === true ? 0 : 1)), 1);
});

test('of twenty commands that delete a memory at once, one says so', async () => {
  const id = await keep('deleted by commands');
  const asked = async () => {
    const { stdout } = await runLtm(server.folder, ['delete', id, '--json', '--db', db]);
    return (JSON.parse(stdout) as { count: number }).count;
  };
  assert.equal(await sumOf(asked), 1);
});

test('of twenty programs that delete a memory through the library at once, one has deleted it', async () => {
  const id = await keep('deleted by programs');
  const opened = await Promise.all(Array.from({ length: TIMES }, () => openMemory({ database: db })));
  const counts = await Promise.all(opened.map((memory) => memory.delete(id)));
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    1,
  );
  await Promise.all(opened.map((memory) => memory.close()));
});

// Rows of mcp-memory-service's checklist about relations and contradictions, by number: tools and routes over one database.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Json, KEY, type RestClient, startService } from './rest-client.ts';
import { hashOf, type ServiceClient, startServiceTools } from './service-client.ts';

let ltm: ServiceClient;
let rest: RestClient;
before(async () => {
  ltm = await startServiceTools();
  rest = await startService({ MCP_API_KEY: KEY, LTM_DB: ltm.db });
});
after(async () => {
  await rest.close();
  await ltm.close();
});
const get = async (path: string): Promise<Json> => (await rest.send('GET', `/api/${path}`)).body;

const chain: string[] = [];
async function makeChain(): Promise<void> {
  for (const name of ['alpha', 'beta', 'gamma', 'delta'])
    chain.push(await ltm.store(`Chain link ${name}`, { tags: ['chain'] }));
  const relate = (from: number, to: number, type: string) =>
    rest.send(
      'POST',
      '/api/v1/relations',
      { from: chain[from], to: chain[to], type },
      { Authorization: `Bearer ${KEY}` },
    );
  for (const [from, to, type] of [
    [0, 1, 'causes'],
    [1, 2, 'causes'],
    [2, 3, 'related'],
  ] as const)
    assert.equal((await relate(from, to, type)).status, 200);
}

test('row 50: memory_graph connected gives hashes with their distances, and what they say', async () => {
  await makeChain();
  const near = await ltm.document('memory_graph', { action: 'connected', hash: chain[0] });
  assert.deepEqual(
    near.connected.map(({ hash, distance }: Json) => [hash, distance]),
    [
      [chain[1], 1],
      [chain[2], 2],
    ],
  );
  assert.deepEqual([near.success, near.count, near.connected[0].content], [true, 2, 'Chain link beta']);
  assert.equal((await ltm.document('memory_graph', { action: 'connected', hash: chain[0], max_hops: 3 })).count, 3);
});

test('row 51: memory_graph path is the shortest way, its length in memories; null with a message where there is none', async () => {
  const path = await ltm.document('memory_graph', { action: 'path', hash1: chain[0], hash2: chain[3] });
  assert.deepEqual([path.path, path.length], [chain, 4]);
  assert.equal(
    (await ltm.document('memory_graph', { action: 'path', hash1: chain[0], hash2: chain[3], max_depth: 3 })).path,
    null,
  );
  const lonely = await ltm.store('A lonely memory');
  const none = await ltm.document('memory_graph', { action: 'path', hash1: chain[0], hash2: lonely });
  assert.deepEqual([none.success, none.path, none.length, typeof none.message], [true, null, 0, 'string']);
  assert.equal((await ltm.invoke('memory_graph', { action: 'path', hash1: chain[0] })).isError, true);
});

test('row 52: memory_graph subgraph gives nodes, edges and their counts', async () => {
  const sub = await ltm.document('memory_graph', { action: 'subgraph', hash: chain[1], radius: 1 });
  assert.deepEqual([...sub.nodes].sort(), [chain[0], chain[1], chain[2]].sort());
  assert.deepEqual([sub.node_count, sub.edge_count], [3, 2]);
  assert.deepEqual(Object.keys(sub.edges[0]).slice(0, 6), [
    'source',
    'target',
    'similarity',
    'connection_types',
    'metadata',
    'relationship_type',
  ]);
});

test('row 53: infer finds pairs that relations of a type join indirectly, suggest what shares neighbours', async () => {
  const { inferred, count } = await ltm.document('memory_graph', { action: 'infer', rel_type: 'causes' });
  assert.equal(count, 1);
  assert.deepEqual([inferred[0].source, inferred[0].target, inferred[0].distance], [chain[0], chain[2], 2]);
  const { suggestions } = await ltm.document('memory_graph', { action: 'suggest', hash: chain[1] });
  assert.deepEqual([suggestions[0].target, suggestions[0].shared_neighbors], [chain[3], 1]);
});

test('row 54: a directed relation is one edge, a symmetric one is the same from both ends', async () => {
  for (const [from, to] of [
    [2, 3],
    [3, 2],
  ] as const) {
    const near = await ltm.document('memory_graph', { action: 'connected', hash: chain[from], max_hops: 1 });
    assert.ok(
      near.connected.some(({ hash }: Json) => hash === chain[to]),
      `${from} to ${to}`,
    );
  }
  const sub = await ltm.document('memory_graph', { action: 'subgraph', hash: chain[0], radius: 1 });
  assert.deepEqual(
    sub.edges.map(({ source, target, relationship_type: type }: Json) => [source, target, type]),
    [[chain[0], chain[1], 'causes']],
  );
});

test('row 55: relations add no memories, and the charts count and draw them', async () => {
  assert.equal((await ltm.call('memory_list', { tags: ['chain'] })).total, 4);
  assert.deepEqual(await get('analytics/relationship-types'), { causes: 2, related: 1 });
  const { nodes, edges, meta } = await get('analytics/graph-visualization?min_connections=2');
  assert.deepEqual(
    [nodes.map(({ id }: Json) => id).sort(), edges.length, meta.total_edges],
    [[chain[1], chain[2]].sort(), 1, 1],
  );
  assert.equal((await get('analytics/graph-visualization')).nodes.length, 4);
});

test('row 49: two memories that contradict each other are listed, and the one that does not hold is hidden when it is resolved', async () => {
  assert.equal((await ltm.invoke('memory_conflicts')).text, 'No unresolved conflicts found.');
  const older = await ltm.store('The staging gateway listens on port 7001.', { tags: 'ops' });
  const said = await ltm.invoke('memory_store', {
    content: 'The staging gateway listens on port 7002.',
    conversation_id: 'c',
  });
  const newer = hashOf('The staging gateway listens on port 7002.');
  assert.match(
    said.text,
    new RegExp(`^Memory stored successfully \\(hash: ${newer}\\)\n[\\s\\S]*1 conflict\\(s\\) detected`),
  );
  const tagged = async () =>
    (await ltm.document('memory_list', { tags: ['conflict:unresolved'] })).memories.map((one: Json) => [
      one.content_hash,
      one.tags,
    ]);
  assert.deepEqual(await tagged(), [
    [newer, ['conflict:unresolved']],
    [older, ['ops', 'conflict:unresolved']],
  ]);
  const { text } = await ltm.invoke('memory_conflicts');
  assert.match(text, /^Found 1 unresolved conflict/);
  for (const hash of [older, newer]) assert.ok(text.includes(hash.slice(0, 12)), text);
  const { conflicts, count } = await get('conflicts');
  assert.deepEqual([count, conflicts[0].hash_a, conflicts[0].hash_b], [1, newer, older]);
  assert.equal(
    (await rest.send('POST', '/api/conflicts/resolve', { winner_hash: newer, loser_hash: 'f'.repeat(64) })).status,
    400,
  );
  const resolved = await ltm.invoke('memory_resolve', { winner_hash: newer, loser_hash: older });
  assert.match(
    resolved.text,
    new RegExp(`^Conflict resolved: ${newer.slice(0, 12)} supersedes ${older.slice(0, 12)}$`),
  );
  assert.equal((await ltm.invoke('memory_conflicts')).text, 'No unresolved conflicts found.');
  assert.deepEqual(await tagged(), []);
  const found = (await ltm.invoke('memory_search', { query: 'staging gateway port' })).text;
  assert.ok(found.includes('7002') && !found.includes('7001'), found);
  assert.match(
    (await ltm.invoke('memory_search', { query: 'staging gateway port', include_superseded: true })).text,
    /7001/,
  );
});

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestApp } from '../../../../test/open-test-app.ts';
import { createRemoteClient } from '../../../client/remote-client.ts';
import { createLocalClient, openLocalSession } from '../../../server/local-session.ts';
import type { Client } from '../../../verbs/client.ts';
import { VERBS } from '../../verb-table.ts';

const app = await openTestApp();
const session = await openLocalSession(
  { declared: app.config.declared, flags: { db: app.config.db }, env: {}, file: `${app.config.db}.json` },
  'cli',
);
after(async () => {
  await session.engine.close();
  await app.close();
});

const openNear = async (): Promise<Client> => createLocalClient(VERBS, session, await session.callerNow());
const openFar = async (): Promise<Client> =>
  createRemoteClient(VERBS, {
    host: 'http://test',
    fetch: async (path, init = {}) => {
      const headers = Object.fromEntries(new Headers(init.headers));
      const body = init.body && { body: String(init.body) };
      // Checks each answer against the schema of its route.
      await app
        .json(init.method ?? 'GET', path, { headers, ...body })
        .catch((error: unknown) => assert.fail(String(error)));
      return app.request(init.method ?? 'GET', path, { headers, ...body });
    },
  });

const store = async (client: Client, content: string): Promise<string> => {
  const outcome = await client.storeMemory({ content });
  assert.ok('memory' in outcome);
  return outcome.memory.id;
};

test('what is read of the graph, of entities and of the past is the same near and far, and fits its schema', async () => {
  const [near, far] = [await openNear(), await openFar()];
  const [a, b, c] = [
    await store(near, 'The gateway listens on port 8080, said Grace Hopper'),
    await store(near, 'The timeout is 30s'),
    await store(near, 'The timeout is 60s'),
  ];
  const related = await near.relateMemories({ from: a!, to: b!, type: 'causes', note: 'seen', confidence: 0.7 });
  assert.equal(related.outcome, 'related');
  await near.relateMemories({ from: b!, to: c!, type: 'follows' });
  const questions: ((client: Client) => Promise<unknown>)[] = [
    (client) => client.listRelations({}),
    (client) => client.exploreGraph({ ref: a! }),
    (client) =>
      client.exploreGraph({ action: 'path', ref: a!, to: c!, types: ['causes', 'follows'], direction: 'out' }),
    (client) => client.exploreGraph({ action: 'subgraph', ref: b! }),
    (client) => client.exploreGraph({ ref: a!, asOf: '2100-01-01' }),
    (client) => client.exploreGraph({ action: 'infer', types: ['causes'] }),
    (client) => client.exploreGraph({ action: 'suggest', ref: a! }),
    (client) => client.tellAbout({ name: 'Grace Hopper' }),
    (client) => client.listEntities({ kind: 'person' }),
    (client) => client.listConflicts({}),
    (client) => client.inferRelations({ dryRun: true }),
    (client) => client.undoChanges({ dryRun: true, first: 1 }),
    async (client) => ({ ...(await client.diffMemories({ from: '2020-01-01' })), toAt: 0 }),
    (client) => client.listMemories({ asOf: '2020-01-01' }),
    (client) => client.getMemories({ ids: [a!], asOf: '2999-01-01' }),
    async (client) =>
      (await client.searchMemories({ query: 'gateway', asOf: '2999-01-01' })).hits.map(({ snippet }) => snippet),
    async (client) =>
      (await client.searchMemories({ query: 'gateway', entity: 'Grace Hopper' })).hits.map(({ snippet }) => snippet),
  ];
  // The address of the next page is for those who go there by themselves.
  const told = ({ next: _, ...answer }: { next?: unknown }) => answer;
  for (const ask of questions)
    assert.deepEqual(told((await ask(far)) as object), told((await ask(near)) as object), String(ask));
  assert.equal((await near.listConflicts({})).total, 1);
});

test('what is written far is there near', async () => {
  const far = createRemoteClient(VERBS, {
    host: 'http://test',
    fetch: async (path, init = {}) =>
      app.request(init.method ?? 'GET', path, {
        headers: Object.fromEntries(new Headers(init.headers)),
        ...(init.body && { body: String(init.body) }),
      }),
  });
  const near = await openNear();
  const [a, b] = [
    await store(far, 'Tea is served at four'),
    await store(far, 'The kettle is descaled monthly by Ada Byron'),
  ];
  assert.equal((await far.relateMemories({ from: a!, to: b!, type: 'mentions' })).outcome, 'related');
  assert.equal((await near.listRelations({ ref: a! })).relations[0]?.type, 'mentions');
  assert.equal((await far.unrelateMemories({ from: a!, to: b! })).ended.length, 1);
  assert.equal((await far.mergeEntities({ into: 'Ada Byron', aliases: ['@byron'] })).entity.key, 'person:ada byron');
  assert.equal((await far.resolveConflict({ winner: a!, loser: b!, keepBoth: true })).outcome, 'kept_both');
  const { memory } = await near.deleteMemory({ ref: b! });
  assert.equal(memory.id, b);
  assert.equal((await near.undoChanges({})).outcome, 'undone');
  assert.equal((await far.getMemories({ ids: [b!] })).memories.length, 1);
});

test('agents reach all of it by tools of the family graph', async () => {
  const ask = async (method: string, params: object): Promise<string> => {
    const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
    return (
      await app.request('POST', '/mcp?tools=graph', { json: { jsonrpc: '2.0', id: 1, method, params }, headers })
    ).text();
  };
  const listed = await ask('tools/list', {});
  for (const name of ['relate', 'unrelate', 'graph', 'about', 'conflicts', 'resolve', 'diff', 'undo'])
    assert.match(listed, new RegExp(`"name":"memory_${name}"`));
  const near = await openNear();
  const [a, b] = [await store(near, 'Rust compiles slowly here'), await store(near, 'Caching made Rust builds quick')];
  const call = (name: string, args: object) => ask('tools/call', { name, arguments: args });
  assert.match(await call('memory_relate', { from: b, to: a, type: 'fixes' }), /"outcome":"related"/);
  assert.match(await call('memory_graph', { action: 'path', ref: a, to: b }), /Caching made Rust builds quick/);
  assert.match(await call('memory_about', { name: 'Grace Hopper' }), /port 8080/);
  assert.match(await call('memory_conflicts', {}), /timeout is 60s/);
  assert.match(await call('memory_diff', { from: 'yesterday' }), /"change":"added"/);
  assert.match(await call('memory_unrelate', { from: a, to: b }), /"count":1/);
  assert.match(await call('memory_graph', { action: 'nonsense', ref: a }), /"isError":true/);
  assert.match(
    await call('memory_search', { query: 'gateway', entity: '@grace', as_of: '2020-01-01' }),
    /"verdict":"nothing"/,
  );
});

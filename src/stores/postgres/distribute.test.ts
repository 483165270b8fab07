import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { engineError } from '../../../test/open-test-engine.ts';
import {
  adminUrl,
  allowMoves,
  dropSchema,
  findCitus,
  listLeftovers,
  owningUrl,
  runSql,
  servingUrl,
  takeTurn,
} from '../../../test/postgres/citus-cluster.ts';
import { findPostgres, startPrivatePostgres } from '../../../test/postgres/private-postgres.ts';
import { ACTOR, put, START, vector } from '../../../test/stores/contract/sample-records.ts';
import { type FullStore, headOf } from '../../../test/stores/contract/store-under-test.ts';
import { CLOCK, SILENT } from '../../../test/stores/sqlite/fixtures/temp-store.ts';
import { distribute } from './distribute.ts';
import { isolateSpace } from './isolate-space.ts';
import { openPostgresStore } from './open-postgres-store.ts';
import { setRoles } from './set-roles.ts';

const open = (url: string): Promise<FullStore> => openPostgresStore(url, { clock: CLOCK, log: SILENT });
const SPACES = ['ann', 'bob', 'crew', 'dora'];

async function fill(store: FullStore): Promise<void> {
  for (const space of SPACES) {
    const kept = Array.from({ length: 20 }, (_, i) =>
      put({ content: `text ${i} of ${space}`, tags: ['t'] }, { vectors: [vector(0)] }),
    );
    const relation = { from: kept[0]!.id, to: kept[1]!.id, type: 'near', weight: 1, body: {}, createdAt: START };
    headOf(await store.commit(space, [...kept, { op: 'relate', relation }], ACTOR));
  }
}

const countAll = (store: FullStore) =>
  Promise.all(SPACES.map(async (space) => (await store.listRecords(space, {}, { limit: 1 })).total));
const ALL = SPACES.map(() => 20);

const postgres = findPostgres();
test('refuses, with a reason, a server that has no Citus extension', {
  skip: 'missing' in postgres ? postgres.missing : false,
}, async () => {
  const server = await startPrivatePostgres();
  try {
    await (await open(server.url())).close();
    await assert.rejects(distribute(server.url()), engineError('storage_unsupported'));
    await assert.rejects(isolateSpace(server.url(), 'ann'), engineError('storage_unsupported'));
  } finally {
    await server.stop();
  }
});

const citus = findCitus();
const skip = 'missing' in citus ? citus.missing : false;
const clusterUrl = 'url' in citus ? citus.url : '';

const listForeignKeys = (schema: string) =>
  runSql(
    clusterUrl,
    `SELECT conname, pg_get_constraintdef(k.oid) AS definition FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid
     WHERE contype = 'f' AND connamespace = '${schema}'::regnamespace ORDER BY 1`,
  );

test('spreads a database that is full and in use over the nodes, keeps its rows, keys and walls, and may be run again', {
  skip,
}, async () => {
  const schema = `distribute_${process.pid}`;
  const admin = adminUrl(clusterUrl, schema);
  await assert.rejects(distribute(admin), engineError('storage_unsupported'));
  const url = await servingUrl(clusterUrl, schema);
  const store = await open(url);
  try {
    await fill(store);
    const plan = await distribute(admin, { dryRun: true, shards: 4 });
    assert.ok(plan.tables.every(({ done }) => !done) && plan.shards === 4 && plan.nodes.length === 2);
    const foreignKeys = await listForeignKeys(schema);
    await assert.rejects(distribute(url, { shards: 4 }), engineError('forbidden'));
    const done = await distribute(admin, { shards: 4 });
    assert.ok(done.tables.every((table) => table.done));
    assert.deepEqual(await distribute(admin), done);
    assert.deepEqual(await countAll(store), ALL);
    assert.deepEqual(await listForeignKeys(schema), foreignKeys);
    assert.equal(
      await countTables(schema, 'relrowsecurity'),
      done.tables.filter(({ as }) => as === 'distributed').length,
    );
    assert.equal(await countTables(schema, 'relforcerowsecurity'), 0);
    headOf(await store.commit('ann', [put({ content: 'afterwards' })], ACTOR));
  } finally {
    await store.close();
    await dropSchema(clusterUrl, schema);
  }
});

async function countTables(schema: string, which: string): Promise<unknown> {
  const sql = `SELECT count(*)::int AS n FROM pg_class WHERE relnamespace = '${schema}'::regnamespace AND ${which} AND relkind = 'r'`;
  return (await runSql(clusterUrl, sql))[0]?.n;
}

/** Stores one record after the other until it is stopped; returns how many. Any refusal is thrown. */
function keepWriting(store: FullStore, space: string): () => Promise<number> {
  let stopped = false;
  let count = 0;
  const work = (async () => {
    while (!stopped) {
      headOf(await store.commit(space, [put({ content: `${space} ${count}` })], ACTOR));
      count++;
    }
  })();
  work.catch(() => {});
  return async () => {
    stopped = true;
    await work;
    return count;
  };
}

async function withDistributed(
  name: string,
  work: (place: { schema: string; admin: string; url: string; store: FullStore }) => Promise<void>,
): Promise<void> {
  const schema = `${name}_${process.pid}`;
  await allowMoves(clusterUrl);
  const endTurn = await takeTurn(clusterUrl);
  const url = await servingUrl(clusterUrl, schema);
  const admin = adminUrl(clusterUrl, schema);
  const store = await open(url);
  try {
    await fill(store);
    await assert.rejects(isolateSpace(admin, 'ann'), engineError('storage_unsupported'));
    await distribute(admin, { shards: 2 });
    await work({ schema, admin, url, store });
  } finally {
    await store.close();
    await dropSchema(clusterUrl, schema);
    await endTurn();
  }
}

test('gives a space a shard and a node of its own while it is written to, refuses nobody and loses nothing', {
  skip,
}, async () => {
  await withDistributed('isolate', async ({ admin, url, store }) => {
    await assert.rejects(isolateSpace(url, 'ann'), engineError('forbidden'));
    await assert.rejects(isolateSpace(admin, 'ann', { node: 'nowhere:1' }), engineError('invalid_input'));
    const before = await isolateSpace(admin, 'ann', { dryRun: true });
    const node = before.nodes.find((one) => one !== before.node)!;
    const writers = SPACES.slice(0, 2).map((space) => keepWriting(store, space));
    const after = await isolateSpace(admin, 'ann', { node, limitMs: 60_000 });
    const written = await Promise.all(writers.map((stop) => stop()));
    assert.deepEqual([before.alone, after.alone, after.node], [false, true, node]);
    assert.ok(written[0]! > 0, 'somebody wrote meanwhile');
    assert.deepEqual(await countAll(store), [20 + written[0]!, 20 + written[1]!, 20, 20]);
    assert.deepEqual((await store.verify()).database, []);
    assert.deepEqual(await listLeftovers(clusterUrl), []);
    assert.deepEqual(
      await runSql(clusterUrl, "SELECT 1 FROM pg_roles WHERE rolname LIKE 'ltm\\_isolate\\_%' AND rolcanlogin"),
      [],
    );
  });
});

test('gives up a move that does not end within its time, leaves nothing of it on the nodes, and can do it later', {
  skip,
}, async () => {
  await withDistributed('unending', async ({ schema, admin, store }) => {
    const holder = new pg.Client(clusterUrl);
    await holder.connect();
    // A writer that never ends: Citus waits for it.
    await holder.query(`BEGIN; UPDATE ${schema}.feed_heads SET seq = seq WHERE space_id = 'ann'`);
    await assert.rejects(isolateSpace(admin, 'ann', { limitMs: 4000 }), engineError('busy'));
    assert.deepEqual(await listLeftovers(clusterUrl), []);
    await holder.end();
    assert.deepEqual(await countAll(store), ALL);
    assert.equal((await isolateSpace(admin, 'ann', { blockWrites: true })).alone, true);
  });
});

test('moves a distributed database whose tables belong to the role that serves over to an owner, and then moves its shards', {
  skip,
}, async () => {
  const schema = `handed_${process.pid}`;
  await allowMoves(clusterUrl);
  const endTurn = await takeTurn(clusterUrl);
  const url = await owningUrl(clusterUrl, schema);
  const admin = adminUrl(clusterUrl, schema);
  const store = await open(url);
  try {
    await fill(store);
    await distribute(url, { shards: 2 });
    assert.ok(Number(await countTables(schema, 'relforcerowsecurity')) > 10);
    await assert.rejects(isolateSpace(admin, 'ann'), engineError('storage_unsupported'));
    const refused = await setRoles(url, { dryRun: true, log: SILENT });
    assert.equal(refused.mayDo, false);
    await setRoles(admin, { log: SILENT });
    assert.equal(await countTables(schema, 'relforcerowsecurity'), 0);
    assert.deepEqual((await setRoles(admin, { log: SILENT })).sql, []);
    const stop = keepWriting(store, 'ann');
    assert.equal((await isolateSpace(admin, 'ann', { limitMs: 60_000 })).alone, true);
    const written = await stop();
    assert.deepEqual(await countAll(store), [20 + written, 20, 20, 20]);
    for (const sql of ['TRUNCATE records', 'ALTER TABLE records DISABLE ROW LEVEL SECURITY', 'DROP TABLE records'])
      await assert.rejects(runSql(url, `SET search_path = ${schema}; ${sql}`), { code: '42501' });
  } finally {
    await store.close();
    await dropSchema(clusterUrl, schema);
    await endTurn();
  }
});

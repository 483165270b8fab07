import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engineError } from '../../../test/open-test-engine.ts';
import { findCitus, ordinaryUrl, runSql } from '../../../test/postgres/citus-cluster.ts';
import { findPostgres, startPrivatePostgres } from '../../../test/postgres/private-postgres.ts';
import { ACTOR, put, START, vector } from '../contract/sample-records.ts';
import { type FullStore, headOf } from '../contract/store-under-test.ts';
import { CLOCK, SILENT } from '../sqlite/fixtures/temp-store.ts';
import { distribute } from './distribute.ts';
import { isolateSpace } from './isolate-space.ts';
import { openPostgresStore } from './open-postgres-store.ts';

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
  const url = await ordinaryUrl(clusterUrl, schema);
  await assert.rejects(distribute(url), engineError('storage_unsupported'));
  const store = await open(url);
  try {
    await fill(store);
    const plan = await distribute(url, { dryRun: true, shards: 4 });
    assert.ok(plan.tables.every(({ done }) => !done) && plan.shards === 4 && plan.nodes.length === 2);
    const foreignKeys = await listForeignKeys(schema);
    const done = await distribute(url, { shards: 4 });
    assert.ok(done.tables.every((table) => table.done));
    assert.deepEqual(await distribute(url), done);
    assert.deepEqual(await countAll(store), ALL);
    assert.deepEqual(await listForeignKeys(schema), foreignKeys);
    const walls = await runSql(
      clusterUrl,
      `SELECT count(*)::int AS n FROM pg_class WHERE relnamespace = '${schema}'::regnamespace AND relforcerowsecurity AND relkind = 'r'`,
    );
    assert.equal(walls[0]?.n, done.tables.filter(({ as }) => as === 'distributed').length);
    headOf(await store.commit('ann', [put({ content: 'afterwards' })], ACTOR));
  } finally {
    await store.close();
    await runSql(clusterUrl, `DROP SCHEMA ${schema} CASCADE`);
  }
});

test('gives a space a shard and a node of its own, and loses nothing of it or of its neighbours', {
  skip,
}, async () => {
  const schema = `isolate_${process.pid}`;
  const url = await ordinaryUrl(clusterUrl, schema);
  const admin = `${clusterUrl}?schema=${schema}`;
  const store = await open(url);
  try {
    await fill(store);
    await assert.rejects(isolateSpace(admin, 'ann'), engineError('storage_unsupported'));
    await distribute(url, { shards: 2 });
    await assert.rejects(isolateSpace(url, 'ann', { blockWrites: true }), engineError('forbidden'));
    const before = await isolateSpace(admin, 'ann', { dryRun: true });
    const node = before.nodes.find((one) => one !== before.node)!;
    const after = await isolateSpace(admin, 'ann', { node, blockWrites: true });
    assert.deepEqual([before.alone, after.alone, after.node], [false, true, node]);
    assert.deepEqual(await countAll(store), ALL);
    headOf(await store.commit('ann', [put({ content: 'afterwards' })], ACTOR));
    assert.deepEqual((await store.verify()).database, []);
    await assert.rejects(isolateSpace(admin, 'ann', { node: 'nowhere:1' }), engineError('invalid_input'));
  } finally {
    await store.close();
    await runSql(clusterUrl, `DROP SCHEMA ${schema} CASCADE`);
  }
});

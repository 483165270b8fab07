import { deepEqual, equal, rejects } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from '../../../test/postgres/private-postgres.ts';
import type { Log } from '../../engine/ports.ts';
import { ACTOR, nextId, put, vector } from '../contract/sample-records.ts';
import { type FullStore, headOf } from '../contract/store-under-test.ts';
import type { Sight } from '../sql/statements.ts';
import { CLOCK, SILENT } from '../sqlite/fixtures/temp-store.ts';
import { readConnectionUrl } from './connection-url.ts';
import { SPACE_TABLES } from './migrations/0001-foundation.ts';
import { openPostgresStore } from './open-postgres-store.ts';
import { openPgDatabase } from './pg-database.ts';
import { readSurroundings } from './row-security.ts';
import { createTransactions } from './transactions.ts';

const found = findPostgres();
const skip = 'missing' in found ? found.missing : false;

/** Those that later migrations added included. */
const WALLED_TABLES = [...SPACE_TABLES, 'transfer_progress', 'graves'];

/** Something in every table. */
async function fill(store: FullStore, space: string): Promise<void> {
  const record = put({ content: `canary of ${space}`, tags: ['t'] }, { vectors: [vector(0)] });
  const other = put({ content: `other of ${space}` });
  const relation = { from: record.id, to: other.id, type: 'about', weight: 1, body: {}, createdAt: 1 };
  headOf(await store.commit(space, [record, other, { op: 'relate', relation }], ACTOR));
  headOf(await store.commit(space, [put({ content: 'changed' }, { id: other.id, expect: 1 })], ACTOR));
  headOf(
    await store.commit(space, [{ op: 'receipt', key: 'k', fingerprint: 'f', answer: { id: record.id }, at: 1 }], ACTOR),
  );
  await store.replaceSegments(
    space,
    [],
    [{ id: 's', from: 0, to: 1, passages: 1, embedder: null, bytes: new Uint8Array(3) }],
  );
  headOf(await store.commit(space, [{ op: 'bury', grave: { id: nextId(), generation: 1, purgedAt: 1 } }], ACTOR));
  await store.transfer.takeIn(space, { spaceCreatedAt: 1, progress: {} });
  await store.recordReads(space, [record.id], 1);
  await store.readStatistics(space, [record.id]);
}

/** What the statements of a transaction get of each table when the program forgets to name the space. */
async function countWithoutFilter(url: string, sight: Sight): Promise<Record<string, number>> {
  const plan = readConnectionUrl(url);
  const database = openPgDatabase(plan, { log: SILENT });
  try {
    const surroundings = await database.withSession((session) => readSurroundings(session, plan.schema, SILENT));
    return await createTransactions(database, surroundings, 1000).read(sight, async (session) => {
      const counts: Record<string, number> = {};
      for (const table of WALLED_TABLES) counts[table] = (await session.query(`SELECT 1 FROM ${table}`)).count;
      return counts;
    });
  } finally {
    await database.close();
  }
}

describe('with the filter of the program removed on purpose, row-level security gives nothing of another space away', {
  skip,
}, () => {
  let postgres: PrivatePostgres;
  before(async () => {
    postgres = await startPrivatePostgres();
    await postgres.admin("CREATE ROLE bypasser LOGIN BYPASSRLS PASSWORD 'x'");
  });
  after(() => postgres.stop());

  for (const superuser of [false, true]) {
    const who = superuser
      ? 'a superuser, who steps down to a role of its own'
      : 'an ordinary role that owns the tables';
    test(`for ${who}`, async () => {
      const url = postgres.url({ superuser, schema: superuser ? 'walls_super' : 'walls' });
      const store = await openPostgresStore(url, { clock: CLOCK, log: SILENT });
      for (const space of ['a', "b'\\"]) await fill(store, space);
      await store.close();

      const own = await countWithoutFilter(url, { space: 'a' });
      deepEqual([own.records, own.feed, own.vectors, own.spaces], [2, 5, 1, 1]);
      equal(Object.values(own).includes(0), false, 'every table was filled');
      deepEqual(await countWithoutFilter(url, { space: "b'\\" }), own);
      const none = Object.fromEntries(WALLED_TABLES.map((table) => [table, 0]));
      deepEqual(await countWithoutFilter(url, { space: 'c' }), none);
      deepEqual(await countWithoutFilter(url, 'no_space'), none);
      deepEqual(await countWithoutFilter(url, 'list_of_spaces'), { ...none, spaces: 2, feed_heads: 2 });
    });
  }

  test('neither reads, changes nor adds a row of another space, nor any without a space', async () => {
    const client = new pg.Client(postgres.url());
    await client.connect();
    await client.query("BEGIN; SET LOCAL search_path = walls; SET LOCAL ltm.space = 'a'");
    equal((await client.query("UPDATE records SET content = 'x'")).rowCount, 2);
    equal((await client.query('DELETE FROM records')).rowCount, 2);
    await rejects(client.query(`INSERT INTO spaces (space_id, created_at) VALUES ('${nextId()}', 1)`), {
      code: '42501',
    });
    await client.query('ROLLBACK');
    await client.query('SET search_path = walls');
    equal((await client.query('SELECT 1 FROM records')).rowCount, 0);
    equal((await client.query('DELETE FROM feed')).rowCount, 0);
    await client.end();
  });

  test('says so in the log where no role can be made for which it holds', async () => {
    const warnings: string[] = [];
    const log: Log = { ...SILENT, warn: (event) => void warnings.push(event) };
    await postgres.admin('CREATE SCHEMA bypassed AUTHORIZATION bypasser');
    const url = postgres.url({ schema: 'bypassed' }).replace(/\/\/app:[^@]+@/, '//bypasser:x@');
    const store = await openPostgresStore(url, { clock: CLOCK, log });
    headOf(await store.commit('a', [put()], ACTOR));
    await store.close();
    deepEqual(warnings, ['row_level_security_bypassed']);
  });
});

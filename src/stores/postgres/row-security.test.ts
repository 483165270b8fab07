import { deepEqual, equal, rejects } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from '../../../test/postgres/private-postgres.ts';
import { ACTOR, nextId, put, vector } from '../../../test/stores/contract/sample-records.ts';
import { type FullStore, headOf } from '../../../test/stores/contract/store-under-test.ts';
import { CLOCK, SILENT } from '../../../test/stores/sqlite/fixtures/temp-store.ts';
import type { Log } from '../../engine/ports.ts';
import type { Sight } from '../sql/statements.ts';
import { readConnectionUrl } from './connection-url.ts';
import { openPostgresStore } from './open-postgres-store.ts';
import { openPgDatabase } from './pg-database.ts';
import { readSurroundings } from './row-security.ts';
import { setRoles } from './set-roles.ts';
import { readTables } from './table-rights.ts';
import { createTransactions } from './transactions.ts';

const found = findPostgres();
const skip = 'missing' in found ? found.missing : false;

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
  const gone = put({ content: `gone of ${space}` });
  const toGone = { ...relation, to: gone.id };
  headOf(await store.commit(space, [gone, { op: 'relate', relation: toGone }], ACTOR));
  headOf(
    await store.commit(
      space,
      [
        { op: 'delete', id: gone.id, at: 1 },
        { op: 'expire', id: gone.id },
      ],
      ACTOR,
    ),
  );
  headOf(await store.commit(space, [{ op: 'link', name: 'far', state: {} }], ACTOR));
  const chunk = { sha256: 'c'.repeat(64), bytes: 1, lines: 0, alias: null, clean: true, packed: new Uint8Array(1) };
  await store.chunks.put(space, [chunk], 1);
  const sealed = {
    upload: 'u',
    slot: 's',
    seq: 1,
    generation: 1,
    buried: 0,
    key_id: 'k',
    member: 'm',
    tag: 't',
    link: 'l',
    user_id: 'a',
    stored_at: 1,
    body: new Uint8Array(1),
    crc: null,
  };
  const side = { part: 'sealed', after: null, to: null, rows: { sealed: [sealed] } } as const;
  await store.transfer.takeIn(space, { spaceCreatedAt: 1, progress: {}, side });
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
      for (const table of (await readTables(session, plan.schema)).filter(({ keyed }) => keyed))
        counts[table.name] = (await session.query(`SELECT 1 FROM ${table.name}`)).count;
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
    await postgres.createRole('bypasser', 'LOGIN BYPASSRLS');
    await postgres.createRole('serving', 'LOGIN');
    await postgres.createRole('single', 'LOGIN');
    await postgres.createRole('heir', 'LOGIN INHERIT IN ROLE app_owner');
    await postgres.admin('CREATE SCHEMA walls_single AUTHORIZATION single');
    await setRoles(postgres.url({ superuser: true, schema: 'walls' }), { serving: ['serving'], log: SILENT });
  });
  after(() => postgres.stop());

  const WHO = {
    'a role that may read and write rows and nothing else': { role: 'serving', schema: 'walls' },
    'a role that owns the tables': { role: 'single', schema: 'walls_single' },
    'a role that may take the place of the owner': { role: 'app', schema: 'walls_member' },
    'a superuser, who steps down to a role of its own': { role: 'postgres', schema: 'walls_super' },
  };
  for (const [who, { role, schema }] of Object.entries(WHO)) {
    test(`for ${who}`, async () => {
      const url = postgres.url({ role, schema });
      const store = await openPostgresStore(url, { clock: CLOCK, log: SILENT });
      for (const space of ['a', "b'\\"]) await fill(store, space);
      await store.close();

      const own = await countWithoutFilter(url, { space: 'a' });
      deepEqual([own.records, own.feed, own.vectors, own.spaces], [2, 9, 1, 1]);
      equal(Object.values(own).includes(0), false, 'every table was filled');
      deepEqual(await countWithoutFilter(url, { space: "b'\\" }), own);
      const none = Object.fromEntries(Object.keys(own).map((table) => [table, 0]));
      deepEqual(await countWithoutFilter(url, { space: 'c' }), none);
      deepEqual(await countWithoutFilter(url, 'no_space'), none);
      deepEqual(await countWithoutFilter(url, 'list_of_spaces'), { ...none, spaces: 2, feed_heads: 2 });
    });
  }

  test('neither reads, changes nor adds a row of another space, nor any without a space', async () => {
    const client = new pg.Client(postgres.url({ role: 'serving' }));
    await client.connect();
    await rejects(client.query('SELECT 1 FROM walls.records'), /unrecognized configuration parameter "ltm.space"/);
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
    const store = await openPostgresStore(postgres.url({ role: 'bypasser', schema: 'bypassed' }), {
      clock: CLOCK,
      log,
    });
    headOf(await store.commit('a', [put()], ACTOR));
    await store.close();
    const heir = await openPostgresStore(postgres.url({ role: 'heir', schema: 'walls_member' }), { clock: CLOCK, log });
    equal((await heir.inspect('a')).rowSecurity?.stands, 'not');
    await heir.close();
    deepEqual(warnings, ['row_level_security_bypassed', 'row_level_security_bypassed']);
  });
});

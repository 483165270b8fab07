import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { engineError } from '../../../test/open-test-engine.ts';
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from '../../../test/postgres/private-postgres.ts';
import { ACTOR, put } from '../../../test/stores/contract/sample-records.ts';
import { type FullStore, headOf } from '../../../test/stores/contract/store-under-test.ts';
import { CLOCK, SILENT } from '../../../test/stores/sqlite/fixtures/temp-store.ts';
import type { Log } from '../../engine/ports.ts';
import { SCHEMA_VERSION } from './migrate.ts';
import { openPostgresStore } from './open-postgres-store.ts';
import { setRoles } from './set-roles.ts';

const found = findPostgres();
const skip = 'missing' in found ? found.missing : false;

/** A database of 0.1.0, whose tables belong to the role that serves; without what only psql understands. */
const OLD = gunzipSync(readFileSync(new URL('../../../test/fixtures/0.1.0/postgres.sql.gz', import.meta.url)))
  .toString()
  .replaceAll(/^\\.*$/gm, '');

const open = (url: string, more: { adminUrl?: string; log?: Log } = {}): Promise<FullStore> =>
  openPostgresStore(url, { clock: CLOCK, log: SILENT, ...more });

/** What a role that serves must not be able to do, whatever a statement says that reaches the server. */
const FORBIDDEN = [
  'ALTER TABLE records DISABLE ROW LEVEL SECURITY',
  'ALTER TABLE records NO FORCE ROW LEVEL SECURITY',
  'ALTER TABLE records OWNER TO CURRENT_USER',
  'ALTER TABLE records ADD COLUMN x int',
  'CREATE POLICY open ON records USING (true)',
  'DROP POLICY records_of_space ON records',
  'TRUNCATE records CASCADE',
  'DROP TABLE records CASCADE',
  'DROP SCHEMA ltm CASCADE',
  'CREATE TABLE ltm.mine ()',
  'CREATE TRIGGER t BEFORE INSERT ON records EXECUTE FUNCTION suppress_redundant_updates_trigger()',
];

async function expectConfined(url: string, more: readonly string[] = []): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('SET search_path = ltm');
  for (const sql of [...FORBIDDEN, ...more]) await rejects(client.query(sql), { code: '42501' }, sql);
  await client.end();
}

describe('the roles of a PostgreSQL database', { skip }, () => {
  let postgres: PrivatePostgres;
  let made = 0;
  before(async () => {
    postgres = await startPrivatePostgres();
    await postgres.createRole('serving', 'LOGIN');
    await postgres.createRole('other', 'LOGIN');
    await postgres.createRole('maker', 'LOGIN CREATEROLE');
  });
  after(() => postgres.stop());

  async function makeDatabase(owner: string): Promise<string> {
    const name = `roles_${++made}`;
    await postgres.admin(`CREATE DATABASE ${name} OWNER ${owner}`);
    return name;
  }

  /** In place of what is there. */
  async function loadOld(database: string, owner: string): Promise<void> {
    const clear = `DROP SCHEMA IF EXISTS ltm CASCADE; GRANT CREATE ON DATABASE ${database} TO ${owner}`;
    await postgres.admin(`${clear}; SET ROLE ${owner}; ${OLD}; RESET ROLE`, database);
  }

  /** Of every table that there is, also of those that later migrations will add: what is not as it should be. */
  async function findLapses(database: string, { owner, role }: { owner: string; role: string }): Promise<unknown[]> {
    return postgres.admin(
      `SELECT c.relname FROM pg_class AS c, pg_roles AS r WHERE r.rolname = '${role}' AND c.relnamespace = 'ltm'::regnamespace AND c.relkind = 'r'
       AND NOT (pg_get_userbyid(c.relowner) = '${owner}' AND NOT c.relforcerowsecurity
         AND has_table_privilege(r.oid, c.oid, 'SELECT') AND has_table_privilege(r.oid, c.oid, 'INSERT')
         AND has_table_privilege(r.oid, c.oid, 'UPDATE') AND has_table_privilege(r.oid, c.oid, 'DELETE')
         AND NOT has_table_privilege(r.oid, c.oid, 'TRUNCATE, REFERENCES, TRIGGER')
         AND c.relrowsecurity = EXISTS (SELECT 1 FROM pg_index AS i JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
                                        WHERE i.indrelid = c.oid AND i.indisprimary AND a.attname = 'space_id')
         AND c.relrowsecurity = EXISTS (SELECT 1 FROM pg_policy AS p WHERE p.polrelid = c.oid AND p.polname = c.relname || '_of_space'
                                        AND pg_get_expr(p.polqual, c.oid) LIKE '%current_setting(''ltm.space''::text)%'))`,
      database,
    );
  }

  test('of an empty one: an owner as which nobody logs in, and a role that may do nothing but read and write rows', async () => {
    const database = await makeDatabase('postgres');
    const admin = postgres.url({ superuser: true, database });
    const url = postgres.url({ role: 'serving', database });
    await rejects(open(url), engineError('storage_read_only'));
    await rejects(setRoles(admin, { log: SILENT }), engineError('invalid_input'));
    await rejects(setRoles(admin, { serving: ['nobody'], log: SILENT }), engineError('invalid_input'));
    const plan = await setRoles(admin, { serving: ['serving'], dryRun: true, log: SILENT });
    deepEqual([plan.owner, plan.present, plan.version, plan.mayDo], [`${database}_owner`, null, 0, true]);
    deepEqual(await postgres.admin("SELECT 1 FROM pg_namespace WHERE nspname = 'ltm'", database), []);
    await setRoles(admin, { serving: ['serving'], log: SILENT });
    deepEqual(await findLapses(database, { owner: plan.owner, role: 'serving' }), []);
    await expectConfined(url, [`SET ROLE ${plan.owner}`, `GRANT ${plan.owner} TO serving`]);

    const store = await open(url);
    headOf(await store.commit('a', [put()], ACTOR));
    equal((await store.inspect('a')).rowSecurity?.stands, 'fully');
    await store.close();
    deepEqual((await setRoles(admin, { log: SILENT })).sql, []);
    await setRoles(admin, { serving: ['other'], log: SILENT });
    deepEqual(await findLapses(database, { owner: plan.owner, role: 'other' }), []);
    await postgres.admin(`ALTER ROLE ${plan.owner} LOGIN`);
    deepEqual((await setRoles(admin, { log: SILENT })).sql, [`ALTER ROLE "${plan.owner}" NOLOGIN`]);
    deepEqual((await setRoles(admin, { log: SILENT })).serving.toSorted(), ['other', 'serving']);
  });

  test('of one of 0.1.0: it opens as before, says what to do, and is moved over while it is in use', async () => {
    const database = await makeDatabase('serving');
    await loadOld(database, 'serving');
    const url = postgres.url({ role: 'serving', database });
    const warnings: string[] = [];
    const log: Log = { ...SILENT, warn: (event, facts) => void warnings.push(`${event} ${facts?.effect}`) };
    const store = await open(url, { log });
    match(warnings.join(), /tables_owned_by_serving_role .*ltm server roles/);
    const { rowSecurity, records } = await store.inspect('owner');
    equal(rowSecurity?.stands, 'against_mistakes');

    const shown = await setRoles(url, { dryRun: true, log: SILENT });
    deepEqual([shown.mayDo, shown.present, shown.serving], [false, 'serving', ['serving']]);
    await rejects(setRoles(url, { log: SILENT }), engineError('forbidden'));
    await setRoles(postgres.url({ superuser: true, database }), { log: SILENT });
    deepEqual(await findLapses(database, { owner: `${database}_owner`, role: 'serving' }), []);
    await expectConfined(url, [`SET ROLE ${database}_owner`, `ALTER DATABASE ${database} SET row_security = off`]);

    headOf(await store.commit('owner', [put()], ACTOR));
    equal((await store.inspect('owner')).records, records + 1);
    await store.close();
  });

  test('are set as well by the statements that are printed for somebody who may run them', async () => {
    const database = await makeDatabase('serving');
    const url = postgres.url({ role: 'serving', database });
    await (await open(url)).close();
    const { sql, owner } = await setRoles(url, { dryRun: true, log: SILENT });
    await postgres.admin(['BEGIN', ...sql, 'COMMIT'].join(';\n'), database);
    deepEqual(await findLapses(database, { owner, role: 'serving' }), []);
    deepEqual((await setRoles(postgres.url({ superuser: true, database }), { log: SILENT })).sql, []);
  });

  test('are set at the first start by a role that may make roles, which is no member of the owner afterwards', async () => {
    const database = await makeDatabase('maker');
    const url = postgres.url({ role: 'maker', database });
    const store = await open(url);
    headOf(await store.commit('a', [put()], ACTOR));
    equal((await store.inspect('a')).rowSecurity?.stands, 'against_mistakes');
    await store.close();
    deepEqual(await findLapses(database, { owner: `${database}_owner`, role: 'maker' }), []);
    await expectConfined(url, [`SET ROLE ${database}_owner`]);
    await loadOld(database, `${database}_owner`);
    await (await open(url)).close();
    deepEqual(await findLapses(database, { owner: `${database}_owner`, role: 'maker' }), []);
    await expectConfined(url, [`SET ROLE ${database}_owner`]);
  });

  test('let a node that may only serve upgrade the tables by its administrator’s address alone', async () => {
    const database = await makeDatabase('app_owner');
    const url = postgres.url({ role: 'serving', database });
    const adminUrl = postgres.url({ database });
    await rejects(open(url), engineError('storage_read_only'));
    await (await open(url, { adminUrl })).close();
    deepEqual(await findLapses(database, { owner: 'app_owner', role: 'serving' }), []);
    deepEqual((await setRoles(adminUrl, { log: SILENT })).serving, ['serving']);
    await loadOld(database, 'app_owner');
    await postgres.admin('GRANT USAGE ON SCHEMA ltm TO serving; GRANT SELECT ON ltm.ltm_schema TO serving', database);
    await rejects(open(url), (error: Error) => /belong to app_owner/.test(error.message));
    await (await open(url, { adminUrl })).close();
    deepEqual(await findLapses(database, { owner: 'app_owner', role: 'serving' }), []);
    deepEqual(await postgres.admin('SELECT version FROM ltm.ltm_schema', database), [{ version: SCHEMA_VERSION }]);
    await expectConfined(url);
  });

  test('are set for a table that was made without a thought of them, the next time that somebody opens it who may', async () => {
    const database = await makeDatabase('app_owner');
    await (await open(postgres.url({ database }))).close();
    await postgres.admin(
      'SET ROLE app_owner; CREATE TABLE ltm.later (space_id text PRIMARY KEY); RESET ROLE',
      database,
    );
    ok((await findLapses(database, { owner: 'app_owner', role: 'app' })).length > 0);
    await (await open(postgres.url({ database }))).close();
    deepEqual(await findLapses(database, { owner: 'app_owner', role: 'app' }), []);
  });
});

import type pg from 'pg';
import type { DistributeOptions, DistributionPlan, TablePlan } from '../../model/database-administration.ts';
import { EngineError } from '../../model/errors.ts';
import { quoteName } from './quote.ts';
import { liftTimeLimits, withCareClient } from './with-care-client.ts';

/**
 * Spreads every table with a space over the cluster by that space, all colocated, and keeps the few others whole on every node. One transaction:
 * it is done or not begun, and programs that are running wait for it and go on. Running it again finishes what a later schema has added.
 */
export async function distribute(url: string, options: DistributeOptions = {}): Promise<DistributionPlan> {
  return withCareClient(url, async (client, schema) => {
    await liftTimeLimits(client);
    const plan = await planDistribution(client, schema, options.shards);
    const todo = plan.tables.filter(({ done }) => !done);
    if (options.dryRun === true || todo.length === 0) return plan;
    await expectOwner(client, schema);
    await client.query('BEGIN');
    await client.query(`SET LOCAL search_path = ${quoteName(schema)}, pg_catalog, public`);
    // One after the other: a transaction that has touched a shard over several connections may not change the schema any more.
    await client.query("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
    // First the one that every transaction locks before it looks at anything: see transactions.ts.
    const locked = ['ltm_schema', ...todo.map(({ table }) => table).filter((table) => table !== 'ltm_schema')];
    await client.query(`LOCK TABLE ${locked.map(quoteName).join(', ')} IN ACCESS EXCLUSIVE MODE`);
    await spread(client, { todo, plan, onTable: options.onTable ?? (() => {}) });
    await client.query('COMMIT');
    return planDistribution(client, schema);
  });
}

/** Citus opens its connections to the workers as the role that asks: it cannot take the place of an owner as which nobody can log in. */
async function expectOwner(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ owner: string; may: boolean }>(
    `SELECT pg_get_userbyid(c.relowner)::text AS owner, r.rolsuper OR c.relowner = r.oid AS may FROM pg_class AS c, pg_roles AS r
     WHERE c.oid = $1::regclass AND r.rolname = current_user`,
    [`${quoteName(schema)}.ltm_schema`],
  );
  const [found] = rows;
  if (found === undefined || found.may) return;
  throw new EngineError('forbidden', `The tables belong to ${found.owner}, and this role may not distribute them.`, {
    hint: 'Connect with --db as a superuser.',
  });
}

interface Spreading {
  todo: readonly TablePlan[];
  plan: DistributionPlan;
  onTable: NonNullable<DistributeOptions['onTable']>;
}

/**
 * Foreign keys are taken off meanwhile, since none may lead from a table that is not spread yet to one that is; and the owner is let through its
 * own row-level security, which otherwise hides from Citus all the rows that it is to move.
 */
async function spread(client: pg.Client, { todo, plan, onTable }: Spreading): Promise<void> {
  const keys = await takeOffForeignKeys(client, todo);
  const anchor = plan.tables.find(({ as, done }) => as === 'distributed' && done)?.table;
  let beside = anchor;
  const forced: string[] = [];
  for (const [done, { table, as }] of todo.entries()) {
    onTable(table, done, todo.length);
    const name = quoteName(table);
    const isForced = await client.query('SELECT relforcerowsecurity AS forced FROM pg_class WHERE oid = $1::regclass', [
      name,
    ]);
    if (isForced.rows[0]?.forced === true) {
      forced.push(name);
      await client.query(`ALTER TABLE ${name} NO FORCE ROW LEVEL SECURITY`);
    }
    const before = await countRows(client, name);
    if (as === 'reference') await client.query('SELECT create_reference_table($1)', [name]);
    else if (beside === undefined)
      await client.query(
        "SELECT create_distributed_table($1, 'space_id', shard_count => $2::int, colocate_with => 'none')",
        [name, plan.shards],
      );
    else
      await client.query("SELECT create_distributed_table($1, 'space_id', colocate_with => $2)", [
        name,
        quoteName(beside),
      ]);
    await expectRows(client, name, before);
    if (as === 'distributed') beside ??= table;
  }
  for (const sql of keys) await client.query(sql);
  for (const name of forced) await client.query(`ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`);
}

/** Those at either end of which is a table that is still to be spread. */
async function takeOffForeignKeys(client: pg.Client, todo: readonly TablePlan[]): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND (conrelid = ANY ($1::regclass[]) OR confrelid = ANY ($1::regclass[])) ORDER BY oid`,
    [todo.map(({ table }) => quoteName(table))],
  );
  for (const { table, name } of rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  return rows.map(({ table, name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
}

async function countRows(client: pg.Client, name: string): Promise<number> {
  return Number((await client.query<{ n: string }>(`SELECT count(*) AS n FROM ${name}`)).rows[0]?.n);
}

/** Citus leaves the rows it has copied behind, out of sight: they are counted before anything is final. */
async function expectRows(client: pg.Client, name: string, before: number): Promise<void> {
  const after = await countRows(client, name);
  if (after !== before)
    throw new EngineError('internal', `${name} had ${before} rows and would have ${after}; nothing was changed.`);
  if (before > 0) await client.query('SELECT truncate_local_data_after_distributing_table($1)', [name]);
}

type TableRow = { table: string; keyed: boolean; bytes: string; method: string | null; shards: number | null };

const TABLES = `
  SELECT c.relname::text AS table, pg_total_relation_size(c.oid) AS bytes, p.partmethod::text AS method,
    (SELECT count(*)::int FROM pg_dist_shard AS s WHERE s.logicalrelid = c.oid) AS shards,
    EXISTS (SELECT 1 FROM pg_index AS i JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
            WHERE i.indrelid = c.oid AND i.indisprimary AND a.attname = 'space_id') AS keyed
  FROM pg_class AS c LEFT JOIN pg_dist_partition AS p ON p.logicalrelid = c.oid
  WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND c.relkind = 'r' ORDER BY c.oid`;

/** What distributing this database means, and how much of it is done. Tables were made in the order of their foreign keys, so their oids tell it. */
export async function planDistribution(client: pg.Client, schema: string, shards?: number): Promise<DistributionPlan> {
  const citus = await readCitusVersion(client);
  const nodes = await listNodes(client);
  const { rows } = await client.query<TableRow>(TABLES, [schema]);
  if (rows.length === 0) throw noTables(schema);
  const standing = rows.find(({ method, shards: count }) => method === 'h' && count !== null && count > 0)?.shards;
  const wanted = Number(
    (await client.query<{ value: string }>("SELECT current_setting('citus.shard_count') AS value")).rows[0]?.value,
  );
  return {
    citus,
    schema,
    nodes,
    shards: standing ?? shards ?? wanted,
    tables: rows.map(({ table, keyed, bytes, method }) => ({
      table,
      as: keyed ? 'distributed' : 'reference',
      bytes: Number(bytes),
      done: method !== null,
    })),
  };
}

async function readCitusVersion(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ extversion: string }>(
    "SELECT extversion FROM pg_extension WHERE extname = 'citus'",
  );
  const version = rows[0]?.extversion;
  if (version !== undefined) return version;
  throw new EngineError('storage_unsupported', 'This database has no Citus extension, so it cannot be distributed.', {
    hint: 'Install Citus on every server, add it to shared_preload_libraries, run CREATE EXTENSION citus, then try again. See docs/scaling.md.',
  });
}

async function listNodes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ node: string }>(
    "SELECT nodename || ':' || nodeport AS node FROM pg_dist_node WHERE isactive AND shouldhaveshards AND noderole = 'primary' ORDER BY 1",
  );
  if (rows.length > 0) return rows.map(({ node }) => node);
  throw new EngineError('storage_unsupported', 'This Citus cluster has no node that accepts shards.', {
    hint: "Add one: SELECT citus_add_node('HOST', 5432). With the coordinator alone: SELECT citus_set_coordinator_host('HOST', 5432), then citus_set_node_property('HOST', 5432, 'shouldhaveshards', true).",
  });
}

function noTables(schema: string): EngineError {
  return new EngineError('storage_unsupported', `The schema ${schema} has no ltm tables yet.`, {
    hint: 'Start `ltm serve` on it once, or fill it with `ltm migrate`, then distribute it.',
  });
}

import type pg from 'pg';
import { EngineError } from '../../model/errors.ts';

export interface TablePlan {
  table: string;
  /** By its space, beside the other tables of that space; or whole on every node. */
  as: 'distributed' | 'reference';
  bytes: number;
  done: boolean;
}

export interface DistributionPlan {
  citus: string;
  schema: string;
  /** Nodes that hold shards. */
  nodes: string[];
  shards: number;
  /** Referenced tables before those that refer to them. */
  tables: TablePlan[];
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
  throw new EngineError(
    'storage_unsupported',
    'This database has no Citus extension: it cannot be spread over servers.',
    {
      hint: 'Install Citus on every server, add it to shared_preload_libraries, run CREATE EXTENSION citus, then try again. See docs/scaling.md.',
    },
  );
}

async function listNodes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ node: string }>(
    "SELECT nodename || ':' || nodeport AS node FROM pg_dist_node WHERE isactive AND shouldhaveshards AND noderole = 'primary' ORDER BY 1",
  );
  if (rows.length > 0) return rows.map(({ node }) => node);
  throw new EngineError('storage_unsupported', 'This Citus cluster has no node that takes shards.', {
    hint: "Add one: SELECT citus_add_node('HOST', 5432). With the coordinator alone: SELECT citus_set_coordinator_host('HOST', 5432), then citus_set_node_property('HOST', 5432, 'shouldhaveshards', true).",
  });
}

function noTables(schema: string): EngineError {
  return new EngineError('storage_unsupported', `The schema ${schema} holds no tables of ltm yet.`, {
    hint: 'Start `ltm serve` on it once, or fill it with `ltm migrate`, then distribute it.',
  });
}

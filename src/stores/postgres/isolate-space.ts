import type pg from 'pg';
import { EngineError } from '../../model/errors.ts';
import type { SpaceId } from '../../model/ids.ts';
import { planDistribution } from './distribute.ts';
import { encodeText, quoteName } from './quote.ts';
import { liftTimeLimits, withCareClient } from './with-care-client.ts';

export interface IsolateOptions {
  /** `HOST:PORT` of the node that is to hold the space; it stays on its node where not said. */
  node?: string;
  /** Only tell what would be done. */
  dryRun?: boolean;
  /** Let writers of that shard wait meanwhile: needs no logical replication on the servers. */
  blockWrites?: boolean;
}

export interface Isolation {
  space: SpaceId;
  /** False: it shares its shard with other spaces, and would be given one of its own. */
  alone: boolean;
  shard: number;
  node: string;
  nodes: string[];
  moved: boolean;
}

type Place = { shard: number; node: string; alone: boolean };

/** Gives a space a shard of its own, and moves that to another node where one is named. The space can be read and written meanwhile but for a moment at the end. */
export async function isolateSpace(url: string, space: SpaceId, options: IsolateOptions = {}): Promise<Isolation> {
  return withCareClient(url, async (client, schema) => {
    await liftTimeLimits(client);
    const { nodes, tables } = await planDistribution(client, schema);
    if (tables.some(({ done }) => !done)) {
      throw new EngineError('storage_unsupported', 'This database is not distributed yet.', {
        hint: 'Run `ltm server distribute` first.',
      });
    }
    await client.query(`SET search_path = ${quoteName(schema)}, pg_catalog, public`);
    const { node: wanted } = options;
    if (wanted !== undefined && !nodes.includes(wanted)) {
      throw new EngineError('invalid_input', `There is no node ${wanted} that accepts shards.`, {
        hint: `Choose one of ${nodes.join(', ')}.`,
      });
    }
    const mode = options.blockWrites === true ? 'block_writes' : 'auto';
    await expectFullSight(client);
    let place = await findPlace(client, space);
    const before = await countRows(client, space);
    const moved = wanted !== undefined && wanted !== place.node;
    if (options.dryRun === true) return { space, ...place, nodes, moved };
    if (!place.alone) {
      await transfer(() =>
        client.query("SELECT isolate_tenant_to_new_shard('spaces', $1::text, 'CASCADE', shard_transfer_mode => $2)", [
          encodeText(space),
          mode,
        ]),
      );
      place = await findPlace(client, space);
    }
    if (moved) await transfer(() => move(client, place, { target: wanted, mode }));
    await expectRows(client, space, before);
    return { space, ...(moved ? await findPlace(client, space) : place), nodes, moved };
  });
}

/** Citus copies the rows as the role that asks: one that row-level security binds would copy none of them and drop the old ones. */
async function expectFullSight(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ full: boolean }>(
    'SELECT rolsuper OR rolbypassrls AS full FROM pg_roles WHERE rolname = current_user',
  );
  if (rows[0]?.full === true) return;
  throw new EngineError('forbidden', 'Row-level security hides the rows to be moved from this role.', {
    hint: "Connect with --db as a superuser, or as a role with BYPASSRLS that may use ltm's tables.",
  });
}

type RowCounts = { head: number; records: number };

async function countRows(client: pg.Client, space: SpaceId): Promise<RowCounts> {
  const { rows } = await client.query<{ head: string | null; records: string }>(
    '(SELECT (SELECT seq FROM feed_heads WHERE space_id = $1) AS head, (SELECT count(*) FROM records WHERE space_id = $1) AS records)',
    [encodeText(space)],
  );
  return { head: Number(rows[0]?.head ?? 0), records: Number(rows[0]?.records) };
}

async function expectRows(client: pg.Client, space: SpaceId, before: RowCounts): Promise<void> {
  const now = await countRows(client, space);
  if (now.head > before.head || (now.head === before.head && now.records === before.records)) return;
  throw new EngineError(
    'internal',
    `The space had ${before.records} records at ${before.head}; after the move it has ${now.records} at ${now.head}.`,
    {
      hint: 'Restore it from a backup, and report this.',
    },
  );
}

async function findPlace(client: pg.Client, space: SpaceId): Promise<Place> {
  const { rows } = await client.query<{ shard: string; node: string; alone: boolean }>(
    `SELECT s.shardid AS shard, p.nodename || ':' || p.nodeport AS node, s.shardminvalue = s.shardmaxvalue AS alone
     FROM pg_dist_shard AS s JOIN citus_shards AS p ON p.shardid = s.shardid
     WHERE s.shardid = get_shard_id_for_distribution_column('spaces', $1::text)`,
    [encodeText(space)],
  );
  const [row] = rows;
  if (row === undefined) throw new EngineError('internal', 'The shard of this space was not found.');
  return { shard: Number(row.shard), node: row.node, alone: row.alone };
}

async function move(
  client: pg.Client,
  { shard, node }: Place,
  { target, mode }: { target: string; mode: string },
): Promise<void> {
  const [from, to] = [node, target].map((text) => ({
    host: text.slice(0, text.lastIndexOf(':')),
    port: Number(text.slice(text.lastIndexOf(':') + 1)),
  }));
  await client.query(
    'SELECT citus_move_shard_placement($1::bigint, $2, $3::int, $4, $5::int, shard_transfer_mode => $6)',
    [shard, from!.host, from!.port, to!.host, to!.port, mode],
  );
}

/** Servers that keep logical replication from Citus say so in many ways; what the server said is kept as the cause. */
async function transfer(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : '';
    if (!/output plugin|replication|wal_level|superuser|subscription/i.test(said)) throw cause;
    throw new EngineError('storage_unsupported', `The servers do not allow Citus to move data during writes: ${said}`, {
      hint: "Set wal_level = logical (and output_plugin_libraries = 'citus, pgoutput' if the server requires it), or use --block-writes.",
      cause,
    });
  }
}

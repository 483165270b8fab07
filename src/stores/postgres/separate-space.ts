import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { EngineError } from '../../model/errors.ts';
import type { SpaceId } from '../../model/ids.ts';
import { encodeText } from './quote.ts';
import { sqlState, translateError } from './translate-error.ts';

/** A shard of the table of spaces; those of the other tables lie beside it. */
export interface Place {
  shard: number;
  node: string;
  /** It holds the hash of one space alone. */
  alone: boolean;
  low: number;
  high: number;
}

const READ_PLACES = `
  SELECT s.shardid::int8 AS shard, p.nodename || ':' || p.nodeport AS node, s.shardminvalue = s.shardmaxvalue AS alone,
    s.shardminvalue::int AS low, s.shardmaxvalue::int AS high
  FROM pg_dist_shard AS s JOIN citus_shards AS p ON p.shardid = s.shardid`;

export async function findPlace(client: pg.Client, space: SpaceId): Promise<Place> {
  const { rows } = await client.query<Place>(
    `${READ_PLACES} WHERE s.shardid = get_shard_id_for_distribution_column('spaces', $1::text)`,
    [encodeText(space)],
  );
  const [row] = rows;
  if (row === undefined) throw new EngineError('internal', 'The shard of this space was not found.');
  return { ...row, shard: Number(row.shard) };
}

/** Those that a shard has been split into. */
async function listParts(client: pg.Client, { low, high }: Place): Promise<Place[]> {
  const { rows } = await client.query<Place>(
    `${READ_PLACES} WHERE s.logicalrelid = 'spaces'::regclass AND s.shardminvalue::int >= $1 AND s.shardmaxvalue::int <= $2`,
    [low, high],
  );
  return rows.map((row) => ({ ...row, shard: Number(row.shard) }));
}

export interface Move {
  place: Place;
  /** The node that is to hold the space in the end. */
  target: string;
  nodes: readonly string[];
  mode: 'auto' | 'block_writes';
  limitMs: number;
}

/** Gives the space a shard of its own on the target node. What could not be finished in time is taken back. */
export async function separateSpace(client: pg.Client, space: SpaceId, move: Move): Promise<void> {
  const end = performance.now() + move.limitMs;
  const { rows } = await client.query<{ last: string }>('SELECT last_value AS last FROM pg_dist_operationid_seq');
  // A command that was interrupted must not go on by itself on the server.
  await client.query("SET client_connection_check_interval = '5s'");
  const run = async (sql: string, values: unknown[]) => {
    await client.query(`SET statement_timeout = ${Math.max(1, Math.round(end - performance.now()))}`);
    await client.query(sql, values);
  };
  try {
    await separate(client, space, { ...move, run });
  } catch (cause) {
    throw explain(cause, await cleanUp(client, Number(rows[0]?.last ?? 0)));
  } finally {
    await client.query('SET statement_timeout = 0');
  }
}

type Run = (sql: string, values: unknown[]) => Promise<void>;

/**
 * Splitting a shard on its own node never ends while it is written to, since Citus publishes the new shards before they have their keys
 * (github.com/citusdata/citus/issues/6790). So the parts are made on another node, and those that are to stay are moved back.
 */
async function separate(client: pg.Client, space: SpaceId, { run, ...move }: Move & { run: Run }): Promise<void> {
  const { place, target, nodes, mode } = move;
  if (place.alone) return moveShard(run, place, { target, mode });
  const elsewhere = target === place.node ? nodes.find((node) => node !== place.node) : target;
  const via = mode === 'block_writes' ? place.node : elsewhere;
  if (via === undefined)
    throw new EngineError('storage_unsupported', 'A shard can only be split during writes by way of a second node.', {
      hint: 'Add one, or use --block-writes.',
    });
  await splitShard(client, space, { place, via, mode, run });
  for (const part of await listParts(client, place))
    await moveShard(run, part, { target: part.alone ? target : place.node, mode });
}

/** Into the one hash and what lies below and above it. */
async function splitShard(
  client: pg.Client,
  space: SpaceId,
  { place, via, mode, run }: { place: Place; via: string; mode: string; run: Run },
): Promise<void> {
  const { rows } = await client.query<{ hash: number; node: number }>(
    "SELECT worker_hash($1::text) AS hash, nodeid AS node FROM pg_dist_node WHERE nodename || ':' || nodeport = $2",
    [encodeText(space), via],
  );
  const { hash, node } = rows[0]!;
  const points = [hash - 1, hash].filter((point) => point >= place.low && point < place.high);
  const parts = Array.from({ length: points.length + 1 }, () => node);
  await run('SELECT citus_split_shard_by_split_points($1::bigint, $2::text[], $3::int[], $4)', [
    place.shard,
    points.map(String),
    parts,
    mode,
  ]);
}

async function moveShard(
  run: Run,
  { shard, node }: Place,
  { target, mode }: Pick<Move, 'target' | 'mode'>,
): Promise<void> {
  if (node === target) return;
  const [from, to] = [splitNode(node), splitNode(target)];
  await run('SELECT citus_move_shard_placement($1::bigint, $2, $3::int, $4, $5::int, shard_transfer_mode => $6)', [
    shard,
    from.host,
    from.port,
    to.host,
    to.port,
    mode,
  ]);
}

function splitNode(text: string): { host: string; port: number } {
  const at = text.lastIndexOf(':');
  return { host: text.slice(0, at), port: Number(text.slice(at + 1)) };
}

/** A slot is in use for a moment after its user has gone. */
const CLEANUP_MS = 30_000;
const CLEANUP_PAUSE_MS = 500;

/** Shards, publications, replication slots, subscriptions and roles of a move that was not finished; a slot that stayed would fill a server's disk. Returns how many are left. */
async function cleanUp(client: pg.Client, lastOperation: number): Promise<number> {
  await client.query('SET statement_timeout = 0');
  for (const end = performance.now() + CLEANUP_MS; ; ) {
    await client.query('CALL citus_cleanup_orphaned_resources()');
    const { rows } = await client.query<{ left: number }>(
      'SELECT count(*)::int AS left FROM pg_dist_cleanup WHERE operation_id > $1',
      [lastOperation],
    );
    const left = rows[0]?.left ?? 0;
    if (left === 0 || performance.now() > end) return left;
    await sleep(CLEANUP_PAUSE_MS);
  }
}

/** Servers that keep logical replication from Citus say so in many ways; what the server said is kept as the cause. */
function explain(cause: unknown, left: number): EngineError {
  const said = cause instanceof Error ? cause.message : '';
  const state =
    left === 0
      ? 'What had been begun was removed.'
      : `${left} things that were begun could not be removed yet; Citus goes on trying (pg_dist_cleanup).`;
  if (sqlState(cause) === '57014')
    return new EngineError('busy', `The move was not done within its time. ${state}`, {
      hint: 'Give it more with --minutes, or use --block-writes.',
      cause,
    });
  if (/connection to the remote node .* failed/i.test(said))
    return new EngineError('storage_unsupported', `The nodes do not let each other in: ${said}. ${state}`, {
      hint: 'Citus connects from node to node as the owner of the tables: pg_hba.conf or pg_dist_authinfo must allow it.',
      cause,
    });
  if (/output plugin|replication|wal_level|superuser|subscription/i.test(said))
    return new EngineError(
      'storage_unsupported',
      `The servers do not allow Citus to move data during writes: ${said}. ${state}`,
      {
        hint: "Set wal_level = logical (and output_plugin_libraries = 'citus, pgoutput' if the server requires it), or use --block-writes.",
        cause,
      },
    );
  return translateError(cause);
}

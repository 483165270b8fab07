import type pg from 'pg';
import type { IsolateOptions, Isolation } from '../../model/database-administration.ts';
import { EngineError } from '../../model/errors.ts';
import type { SpaceId } from '../../model/ids.ts';
import { planDistribution } from './distribute.ts';
import { encodeText, quoteName } from './quote.ts';
import { findPlace, type Move, type Place, separateSpace } from './separate-space.ts';
import { liftTimeLimits, withCareClient } from './with-care-client.ts';

/** "liso": one at a time. */
const LOCK = 0x6c69736f;
const LIMIT_MS = 60 * 60 * 1000;

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
    if (mode === 'auto') await expectNotForced(client);
    const place = await findPlace(client, space);
    const before = await countRows(client, space);
    const moved = wanted !== undefined && wanted !== place.node;
    const describe = ({ shard, node, alone }: Place) => ({ space, shard, node, alone, nodes, moved });
    if (options.dryRun === true) return describe(place);
    const move: Move = { place, target: wanted ?? place.node, nodes, mode, limitMs: options.limitMs ?? LIMIT_MS };
    await expectNoOther(client);
    await letOwnerIn(client, () => separateSpace(client, space, move));
    await expectRows(client, space, before);
    return describe(await findPlace(client, space));
  });
}

/** Held until the connection ends. */
async function expectNoOther(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>(
    'SELECT pg_try_advisory_lock($1::int, hashtext(current_schema())) AS locked',
    [LOCK],
  );
  if (rows[0]?.locked === true) return;
  throw new EngineError('busy', 'Another space is being moved in this database.', { hint: 'Try again afterwards.' });
}

/** A subscription cannot write into a table that forces row-level security on its owner: it would be tried for ever. */
async function expectNotForced(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ owner: string; forced: boolean }>(
    "SELECT pg_get_userbyid(relowner)::text AS owner, relforcerowsecurity AS forced FROM pg_class WHERE oid = 'records'::regclass",
  );
  if (rows[0]?.forced !== true) return;
  throw new EngineError(
    'storage_unsupported',
    `The tables force row-level security on their owner, ${rows[0].owner}, so they cannot be moved during writes.`,
    { hint: 'Give them to an owner as which nobody logs in with `ltm server roles`, or use --block-writes.' },
  );
}

/** Citus opens connections between the nodes as the owner of the tables, which otherwise cannot log in. It has no password meanwhile either. */
async function letOwnerIn(client: pg.Client, work: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ owner: string; canLogIn: boolean }>(
    `SELECT o.rolname::text AS owner, o.rolcanlogin AS "canLogIn" FROM pg_class AS c JOIN pg_roles AS o ON o.oid = c.relowner
     WHERE c.oid = 'records'::regclass`,
  );
  const owner = quoteName(rows[0]?.owner ?? '');
  if (rows[0]?.canLogIn !== false) return work();
  await client.query(`ALTER ROLE ${owner} LOGIN PASSWORD NULL`);
  try {
    await work();
  } finally {
    await client.query(`ALTER ROLE ${owner} NOLOGIN`);
  }
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

import type { AuthStore } from '../../auth/ports.ts';
import type { Clock, Log, Movable, Store } from '../../engine/ports.ts';
import { EngineError } from '../../model/errors.ts';
import type { SpaceId } from '../../model/ids.ts';
import type { DatabaseFacts } from '../sql/inspect.ts';
import { createReadCounter } from '../sql/read-counter.ts';
import { ensureReplica } from '../sql/replica.ts';
import type { SegmentRow } from '../sql/segments.ts';
import { createSnapshotStore } from '../sql/snapshot-store.ts';
import { createSqlStore, once, type SqlStoreParts } from '../sql/sql-store.ts';
import { count, type Steps, select } from '../sql/statements.ts';
import { planArrangement } from './arrange-roles.ts';
import { createCommitQueue } from './commit-queue.ts';
import { readConnectionUrl } from './connection-url.ts';
import type { Database, Session } from './database.ts';
import { eraseTraces } from './erase-traces.ts';
import { findContaining } from './find-containing.ts';
import { holdMoment } from './hold-moment.ts';
import { canMigrate, expectKnownSchema, migrate, SCHEMA_VERSION } from './migrate.ts';
import { openPgDatabase } from './pg-database.ts';
import { quoteLiteral, quoteName } from './quote.ts';
import { readRoleFacts } from './role-facts.ts';
import { readSurroundings } from './row-security.ts';
import { createSqlDatabase, PIECE_BYTES } from './run-steps.ts';
import { createTransactions, type Surroundings, type Transactions } from './transactions.ts';
import { LONGEST_WAIT_MS, retryWhilePassing, sqlState, translateError } from './translate-error.ts';
import { createWatch, listHeads } from './watch.ts';

interface PostgresStoreOptions {
  clock: Clock;
  log: Log;
  /** How long a call waits for a server that is away or busy before it gives up with `busy`. */
  longestWaitMs?: number;
  /** The server's own address, where `url` leads to a pooler in transaction mode: commits of other nodes are heard there. */
  listenUrl?: string | null;
  /** As whom to migrate, where the role in `url` may not take the place of the tables' owner. */
  adminUrl?: string | null;
}

/** `postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME&pool_size=N&prepare=BOOLEAN`, and the driver's own parameters (`sslmode` …). */
export async function openPostgresStore(
  url: string,
  options: PostgresStoreOptions,
): Promise<Store & AuthStore & Movable> {
  const plan = readConnectionUrl(url);
  const openAside = () => openPgDatabase({ ...plan, poolSize: 1 }, { log: options.log });
  return openStoreOn(openPgDatabase(plan, options), plan.schema, { ...options, openAside });
}

interface StoreOnOptions extends PostgresStoreOptions {
  /** One more connection to the same place, beyond those of the pool; absent: there is only the one. */
  openAside?: () => Database;
}

/** The administrator is asked only for what the role that serves may not do, and its connection lasts only for as long as that takes. */
async function asAdmin<T>(adminUrl: string, log: Log, work: (session: Session) => Promise<T>): Promise<T> {
  const admin = openPgDatabase({ ...readConnectionUrl(adminUrl), poolSize: 1 }, { log });
  try {
    return await admin.withSession(work);
  } finally {
    await admin.close();
  }
}

async function prepare(session: Session, schema: string, options: PostgresStoreOptions): Promise<void> {
  const { adminUrl = null, log } = options;
  if (adminUrl === null || (await canMigrate(session, schema))) return migrate(session, schema);
  const { role, bypasses } = await readRoleFacts(session, schema);
  const arrangement = { owner: null, serving: bypasses ? [] : [role] };
  await asAdmin(adminUrl, log, (adminSession) => migrate(adminSession, schema, arrangement));
}

/** What is not gathered here the server gathers by itself. */
async function gatherSomehow(
  database: Database,
  schema: string,
  { adminUrl = null, log }: PostgresStoreOptions,
): Promise<boolean> {
  const gather = (session: Session) => gatherStatistics(session, schema);
  try {
    if (await database.withSession(gather)) return true;
    return adminUrl !== null && (await asAdmin(adminUrl, log, gather));
  } catch (error) {
    if (sqlState(error) === null) throw translateError(error);
    return false;
  }
}

/** The store owns the database from here on and closes it, also when it cannot be opened. */
export async function openStoreOn(
  database: Database,
  schema: string,
  options: StoreOnOptions,
): Promise<Store & AuthStore & Movable> {
  const { log, longestWaitMs = LONGEST_WAIT_MS } = options;
  try {
    const surroundings = await retryWhilePassing(
      () =>
        database.withSession(async (session) => {
          await prepare(session, schema, options);
          return readSurroundings(session, schema, log);
        }),
      longestWaitMs,
    );
    const transactions = createTransactions(database, surroundings, longestWaitMs);
    return await assemble(database, transactions, { ...options, longestWaitMs });
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function assemble(
  database: Database,
  transactions: Transactions,
  options: StoreOnOptions & { longestWaitMs: number },
): Promise<Store & AuthStore & Movable> {
  const { clock, log, longestWaitMs, openAside } = options;
  const { surroundings } = transactions;
  const sql = createSqlDatabase(transactions);
  const replica = await ensureReplica(sql, clock.now());
  const watch = createWatch(database, transactions, log);
  const queue = createCommitQueue({
    database,
    transactions,
    longestWaitMs,
    replica: replica.id,
    announce: watch.announce,
  });
  const reads = createReadCounter(sql, log);
  const partsOn = (within: Transactions): Omit<SqlStoreParts, 'reads'> => ({
    database: createSqlDatabase(within),
    replica,
    clock,
    contentSearch: { find: findContaining },
    readSegmentBytes: (space, row) => within.read({ space }, (session) => readSegmentBytes(session, space, row)),
    describeDatabase: () => sql.read('no_space', () => describeDatabase(database.location, surroundings)),
    checkDatabase: () => sql.read('no_space', findInvalidIndexes),
    // REINDEX is the server's own tool, and needs its owner.
    mendIndexes: async () => [],
    findUnindexed: null,
  });
  return {
    ...createSqlStore({ ...partsOn(transactions), reads }),
    guardsItsPages: true,
    listHeads: (since) => listHeads(transactions, since),
    commit: (space, changes, actor) => queue.commit({ space, changes, actor, now: clock.now() }),
    expectKnownSchema: () => transactions.read('no_space', expectKnownSchema),
    watch: watch.watch,
    eraseTraces: ({ rewrites = false } = {}) => eraseTraces(database, { schema: surroundings.schema, rewrites }),
    backup,
    gatherStatistics: () => gatherSomehow(database, surroundings.schema, options),
    async openSnapshot() {
      // The servers of a Citus cluster share no moment.
      if (openAside === undefined || surroundings.isCitus) return null;
      const moment = await holdMoment(database, { surroundings, longestWaitMs, keeper: openAside() });
      return createSnapshotStore(partsOn(moment.transactions), moment);
    },
    close: once(async () => {
      await queue.close();
      await reads.close();
      await watch.close();
      transactions.close();
      await database.close();
    }),
  };
}

/** A server has better tools for it than a program that would read all rows through one connection. */
async function backup(): Promise<never> {
  throw new EngineError('storage_unsupported', 'ltm cannot copy a PostgreSQL database to a file.', {
    hint: 'Use pg_dump, base backups of the server, or `ltm export`.',
  });
}

function* describeDatabase(location: string, { rowSecurity }: Surroundings): Steps<DatabaseFacts> {
  const bytes = yield* count(
    "SELECT sum(pg_total_relation_size(oid))::bigint AS n FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'",
  );
  return { store: 'postgres', location, bytes, schemaVersion: SCHEMA_VERSION, rowSecurity };
}

/** What the server can tell of its files is its own business (checksums of pages, amcheck). */
function* findInvalidIndexes(): Steps<string[]> {
  const rows = yield* select<{ name: string }>(
    `SELECT c.relname::text AS name FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
     WHERE c.relnamespace = current_schema()::regnamespace AND NOT (i.indisvalid AND i.indisready)`,
  );
  return rows.map(({ name }) => `The index ${name} is not valid; REINDEX it.`);
}

/** 16 MB: few round trips, and each well within the time that a statement may take. */
const PARTS_AT_ONCE = 8;

/** null when a part is missing. Each goes to its place as it comes, so that little more than one of them is held beside the whole. */
async function readSegmentBytes(
  session: Session,
  space: SpaceId,
  { id, bytes: length }: SegmentRow,
): Promise<Uint8Array | null> {
  const bytes = new Uint8Array(length);
  const parts = Math.ceil(length / PIECE_BYTES);
  let read = 0;
  for (let first = 0; first < parts; first += PARTS_AT_ONCE) {
    const end = Math.min(first + PARTS_AT_ONCE, parts);
    const ofSegment = `space_id = ${quoteLiteral(space)} AND segment_id = ${quoteLiteral(id)}`;
    await session.readBytes(
      `SELECT bytes FROM segment_parts WHERE ${ofSegment} AND part >= ${first} AND part < ${end} ORDER BY part`,
      (piece) => {
        bytes.set(piece.subarray(0, length - read * PIECE_BYTES), read * PIECE_BYTES);
        read++;
      },
    );
    if (read !== end) return null;
  }
  return bytes;
}

/** Samples of some thousand rows of each table, however large. */
const LIMIT_MS = 600_000;

/**
 * Tells the server's planner what is in the tables, as their owner; false where this role may not take the owner's place. The server does so by itself some
 * time after many rows have come in, and until then may go through whole tables for a few rows.
 */
async function gatherStatistics(session: Session, schema: string): Promise<boolean> {
  const { stepping, tables, facts } = await planArrangement(session, schema, { owner: null, serving: [] });
  if (stepping === null) return false;
  const analyse = tables.map(({ name }) => `ANALYZE ${quoteName(schema)}.${quoteName(name)}`);
  if (facts.isCitus) {
    for (const sql of analyse) await session.run(sql, LIMIT_MS);
    return true;
  }
  await session.run('BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 5000');
  for (const sql of [...stepping.join, ...stepping.stepIn, ...analyse, ...stepping.stepOut, 'COMMIT'])
    await session.run(sql, LIMIT_MS);
  return true;
}

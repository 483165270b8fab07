import type { AuthStore } from '../../auth/ports.ts';
import type { Clock, Log, Movable, Store } from '../../engine/ports.ts';
import { createReadCounter, type ReadCounter } from '../sql/read-counter.ts';
import { ensureReplica } from '../sql/replica.ts';
import { createSqlStore } from '../sql/sql-store.ts';
import { backup } from './backup.ts';
import { listHeads } from './changed-spaces.ts';
import { type CommitQueue, createCommitQueue } from './commit-queue.ts';
import { readConnectionUrl } from './connection-url.ts';
import type { Database } from './database.ts';
import { describeDatabase, findInvalidIndexes } from './describe-database.ts';
import { findContaining } from './find-containing.ts';
import { migrate } from './migrate.ts';
import { openPgDatabase } from './pg-database.ts';
import { createSqlDatabase } from './pg-sql-database.ts';
import { LONGEST_WAIT_MS, retryWhilePassing } from './retry.ts';
import { readSurroundings } from './row-security.ts';
import { readSegmentBytes } from './segment-bytes.ts';
import { createTransactions, type Transactions } from './transactions.ts';
import { createWatch, type Watch } from './watch.ts';

export interface PostgresStoreOptions {
  clock: Clock;
  log: Log;
  /** How long a call waits for a server that is away or busy before it gives up with `busy`. */
  longestWaitMs?: number;
  /** The server's own address, where `url` leads to a pooler in transaction mode: commits of other nodes are heard there. */
  listenUrl?: string | null;
}

/** `postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME&pool_size=N&prepare=BOOLEAN`, and the driver's own parameters (`sslmode` …). */
export async function openPostgresStore(
  url: string,
  options: PostgresStoreOptions,
): Promise<Store & AuthStore & Movable> {
  const plan = readConnectionUrl(url);
  return openStoreOn(openPgDatabase(plan, options), plan.schema, options);
}

/** The store owns the database from here on and closes it, also when it cannot be opened. */
export async function openStoreOn(
  database: Database,
  schema: string,
  options: PostgresStoreOptions,
): Promise<Store & AuthStore & Movable> {
  const { log, longestWaitMs = LONGEST_WAIT_MS } = options;
  try {
    const surroundings = await retryWhilePassing(
      () =>
        database.withSession(async (session) => {
          await migrate(session, schema);
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
  options: PostgresStoreOptions & { longestWaitMs: number },
): Promise<Store & AuthStore & Movable> {
  const { clock, log, longestWaitMs } = options;
  const sql = createSqlDatabase(transactions);
  const replica = await ensureReplica(sql, clock.now());
  const watch = createWatch(database, transactions, log);
  const queue = createCommitQueue({
    ...{ database, transactions, longestWaitMs },
    replica: replica.id,
    announce: watch.announce,
  });
  const reads = createReadCounter(sql, log);
  let closing: Promise<void> | null = null;
  return {
    ...createSqlStore({
      ...{ database: sql, replica, clock, reads },
      contentSearch: { find: findContaining },
      readSegmentBytes: (space, row) =>
        transactions.read({ space }, (session) => readSegmentBytes(session, space, row)),
      describeDatabase: () => sql.read('no_space', () => describeDatabase(database.location)),
      checkDatabase: () => sql.read('no_space', findInvalidIndexes),
    }),
    listHeads: (since) => listHeads(transactions, since),
    commit: (space, changes, actor) => queue.commit({ space, changes, actor, now: clock.now() }),
    watch: watch.watch,
    backup,
    close() {
      closing ??= close({ database, transactions, queue, reads, watch });
      return closing;
    },
  };
}

interface Open {
  database: Database;
  transactions: Transactions;
  queue: CommitQueue;
  reads: ReadCounter;
  watch: Watch;
}

async function close({ database, transactions, queue, reads, watch }: Open): Promise<void> {
  await queue.close();
  await reads.close();
  await watch.close();
  transactions.close();
  await database.close();
}

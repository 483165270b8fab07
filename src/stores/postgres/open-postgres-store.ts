import type { AuthStore } from '../../auth/ports.ts';
import type { Clock, Log, Movable, Store } from '../../engine/ports.ts';
import { backup } from './backup.ts';
import { listHeads } from './changed-spaces.ts';
import { type CommitQueue, createCommitQueue } from './commit-queue.ts';
import { readConnectionUrl } from './connection-url.ts';
import { countLabels } from './count-labels.ts';
import type { Database } from './database.ts';
import { dropVectors } from './drop-vectors.ts';
import { readChangesAfter, readHead } from './feed.ts';
import { createIdentityStore } from './identity.ts';
import { inspect } from './inspect.ts';
import { releaseLease, takeLease } from './leases.ts';
import { listRecords, readRange } from './list-records.ts';
import { migrate } from './migrate.ts';
import { createOAuthStore } from './oauth-artifacts.ts';
import { readIndexEntries, readPassages } from './passages.ts';
import { openPgDatabase } from './pg-database.ts';
import { pruneReceipts } from './prune-receipts.ts';
import { createReadCounter, type ReadCounter, readStatistics } from './read-counter.ts';
import { findReceipt, getRecords, listIds, listRelations, listSpaces, listVersions } from './read-records.ts';
import { replaceSegments } from './replace-segments.ts';
import { LONGEST_WAIT_MS, retryWhilePassing } from './retry.ts';
import { readSurroundings } from './row-security.ts';
import { listSegments, readSegments } from './segments.ts';
import { createTransactions, type Transactions } from './transactions.ts';
import { createTransfer } from './transfer.ts';
import { createListUnembedded } from './unembedded.ts';
import { verify } from './verify.ts';
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
    return assemble(database, createTransactions(database, surroundings, longestWaitMs), { ...options, longestWaitMs });
  } catch (error) {
    await database.close();
    throw error;
  }
}

function assemble(
  database: Database,
  transactions: Transactions,
  options: PostgresStoreOptions & { longestWaitMs: number },
): Store & AuthStore & Movable {
  const { clock, log, longestWaitMs } = options;
  const watch = createWatch(database, transactions, log);
  const queue = createCommitQueue({ database, transactions, longestWaitMs, announce: watch.announce });
  const reads = createReadCounter(transactions, log);
  let closing: Promise<void> | null = null;
  return {
    ...readingMethods(transactions, database.location),
    ...indexMethods(transactions, clock),
    ...countingMethods(transactions, reads, clock),
    ...createIdentityStore(transactions, clock),
    ...createOAuthStore(transactions),
    transfer: createTransfer(transactions),
    commit: (space, changes, actor) => queue.commit({ space, changes, actor, now: clock.now() }),
    watch: watch.watch,
    pruneReceipts: (space, before, limit) => pruneReceipts(transactions, { space, before, limit }),
    takeLease: (name, holder, until, now) => takeLease(transactions, { name, holder, until, now }),
    releaseLease: (name, holder) => releaseLease(transactions, { name, holder }),
    verify: (progress) => verify(transactions, progress),
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

function readingMethods(transactions: Transactions, location: string) {
  const { read } = transactions;
  return {
    getRecords: (space, ids) => read({ space }, (session) => getRecords(session, space, ids)),
    listVersions: (space, id) => read({ space }, (session) => listVersions(session, space, id)),
    listRelations: (space, ids) => read({ space }, (session) => listRelations(session, space, ids)),
    countLabels: (space, label) => read({ space }, (session) => countLabels(session, space, label)),
    findReceipt: (space, key) => read({ space }, (session) => findReceipt(session, space, key)),
    listSpaces: () => read('list_of_spaces', listSpaces),
    listHeads: (since) => listHeads(transactions, since),
    inspect: (space) => read({ space }, (session) => inspect(session, space, location)),
  } satisfies Partial<Store>;
}

function indexMethods(transactions: Transactions, clock: Clock) {
  const { read } = transactions;
  const listUnembedded = createListUnembedded();
  return {
    head: (space) => read({ space }, (session) => readHead(session, space)),
    changesAfter: (space, seq, limit) => read({ space }, (session) => readChangesAfter(session, space, { seq, limit })),
    readIndexEntries: (space, ids) => read({ space }, (session) => readIndexEntries(session, space, ids)),
    listIds: (space, after, limit) => read({ space }, (session) => listIds(session, space, { after, limit })),
    readPassages: (space, ids) => read({ space }, (session) => readPassages(session, space, ids)),
    listUnembedded: (space, embedder, limit) =>
      read({ space }, (session) => listUnembedded(session, { space, embedder, limit })),
    dropVectors: (space, embedder) => dropVectors(transactions, { space, embedder }),
    listSegments: (space) => read({ space }, (session) => listSegments(session, space)),
    readSegments: (space, ids) => read({ space }, (session) => readSegments(session, space, ids)),
    replaceSegments: (space, old, next) => replaceSegments(transactions, { space, old, next, now: clock.now() }),
  } satisfies Partial<Store>;
}

function countingMethods({ read }: Transactions, reads: ReadCounter, clock: Clock) {
  return {
    async recordReads(space, ids, at) {
      reads.count(space, ids, at);
    },
    async readStatistics(space, ids) {
      await reads.flush();
      return read({ space }, (session) => readStatistics(session, space, ids));
    },
    async listRecords(space, filter, page) {
      if (filter.idleSince !== undefined) await reads.flush();
      const range = readRange(page);
      return read({ space }, (session) => listRecords(session, { space, filter, page, now: clock.now() }, range));
    },
  } satisfies Partial<Store>;
}

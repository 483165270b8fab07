import type { AuthStore } from '../../auth/ports.ts';
import type { Clock, Log, Movable, Store } from '../../engine/ports.ts';
import type { Committed } from '../../model/change.ts';
import type { ReplicaId } from '../../model/ids.ts';
import { applyCommit, weighCommit } from '../sql/apply-commit.ts';
import type { CommitRequest } from '../sql/commit-work.ts';
import { lockHead, makeSpace, writeHead } from '../sql/feed.ts';
import { foldCase } from '../sql/fold-case.ts';
import { createReadCounter, type ReadCounter } from '../sql/read-counter.ts';
import { ensureReplica } from '../sql/replica.ts';
import type { SqlDatabase } from '../sql/sql-database.ts';
import { createSqlStore } from '../sql/sql-store.ts';
import type { Steps } from '../sql/statements.ts';
import { backup } from './backup.ts';
import { type CommitWatch, createCommitWatch } from './commit-watch.ts';
import { type Connection, IN_MEMORY, openConnection } from './connection.ts';
import { createDatabaseFile, refuseForeignFile } from './database-file.ts';
import { checkDatabase, describeDatabase } from './describe-database.ts';
import { migrate } from './migrate.ts';
import { findNetworkDisk } from './network-disk.ts';
import { LONGEST_WAIT_MS, retryWhileBusy } from './retry-while-busy.ts';
import { readSegmentBytes } from './segment-bytes.ts';
import { createSqlDatabase } from './sqlite-sql-database.ts';
import { createWalScrubber, truncateWal, type WalScrubber } from './wal-scrubber.ts';
import { createWriterQueue, type WriterQueue } from './writer-queue.ts';

export interface SqliteStoreOptions {
  clock: Clock;
  log: Log;
  /** How long a write waits for other processes before it gives up with `busy`. */
  longestWaitMs?: number;
}

export async function openSqliteStore(path: string, options: SqliteStoreOptions): Promise<Store & AuthStore & Movable> {
  const { log, longestWaitMs = LONGEST_WAIT_MS } = options;
  if (path !== IN_MEMORY) {
    createDatabaseFile(path);
    await refuseForeignFile(path);
    const networkDisk = findNetworkDisk(path);
    if (networkDisk !== null) log.warn('database_on_network_disk', { fileSystem: networkDisk });
  }
  const connection = await retryWhileBusy(() => openConnection(path), longestWaitMs);
  try {
    await migrate(connection, longestWaitMs);
    return await assemble(connection, { ...options, longestWaitMs });
  } catch (error) {
    connection.close();
    throw error;
  }
}

async function assemble(
  connection: Connection,
  { clock, log, longestWaitMs }: Required<SqliteStoreOptions>,
): Promise<Store & AuthStore & Movable> {
  const scrubber = createWalScrubber(connection, log);
  const queue = createWriterQueue(connection, scrubber, longestWaitMs);
  const database = createSqlDatabase(connection, queue, longestWaitMs);
  const reads = createReadCounter(database, log);
  const watch = createCommitWatch(connection, log);
  const replica = await ensureReplica(database, clock.now());
  const read = <T>(work: () => T) => retryWhileBusy(work, longestWaitMs);
  let closing: Promise<void> | null = null;
  return {
    ...createSqlStore({
      ...{ database, replica, clock, reads },
      contentSearch: { condition: (place) => `ltm_contains(content, ${place})`, value: foldCase },
      readSegmentBytes: (space, row) => read(() => readSegmentBytes(connection, space, row)),
      describeDatabase: () => read(() => describeDatabase(connection)),
      checkDatabase: () => read(() => checkDatabase(connection)),
    }),
    async commit(space, changes, actor) {
      const committed = await commit(database, { space, changes, actor, now: clock.now() }, replica.id);
      watch.tell(space, committed);
      return committed;
    },
    watch: watch.watch,
    backup: (target) => backup(connection, target),
    close() {
      closing ??= close({ connection, scrubber, queue, reads, watch });
      return closing;
    },
  };
}

function commit(database: SqlDatabase, request: CommitRequest, replica: ReplicaId): Promise<Committed> {
  const { space, changes } = request;
  return database.write({ space }, () => applyOne(request, replica), {
    weight: weighCommit(changes),
    scrub: changes.some(({ op }) => op === 'purge'),
    keeps: ({ outcome }) => outcome === 'committed',
  });
}

function* applyOne(request: CommitRequest, replica: ReplicaId): Steps<Committed> {
  const { space, now } = request;
  const known = yield* lockHead(space);
  if (known === null) yield* makeSpace(space, now);
  const head = known ?? 0;
  const committed = yield* applyCommit(request, { head, replica, mark: null });
  if (committed.outcome === 'committed' && committed.head !== head) yield* writeHead(space, committed.head);
  return committed;
}

interface Open {
  connection: Connection;
  scrubber: WalScrubber;
  queue: WriterQueue;
  reads: ReadCounter;
  watch: CommitWatch;
}

async function close({ connection, scrubber, queue, reads, watch }: Open): Promise<void> {
  watch.close();
  await queue.close();
  await reads.close();
  scrubber.close();
  truncateWal(connection);
  connection.close();
}

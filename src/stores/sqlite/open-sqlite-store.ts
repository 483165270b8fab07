import type { AuthStore } from '../../auth/ports.ts';
import type { Clock, Log, Movable, Store } from '../../engine/ports.ts';
import type { RecordId } from '../../model/ids.ts';
import { backup } from './backup.ts';
import { applyCommit, weighCommit } from './commit.ts';
import { createCommitWatch } from './commit-watch.ts';
import { type Connection, IN_MEMORY, openConnection } from './connection.ts';
import { countLabels } from './count-labels.ts';
import { createDatabaseFile, refuseForeignFile } from './database-file.ts';
import { dropVectors } from './drop-vectors.ts';
import { readChangesAfter, readHead } from './feed.ts';
import { createIdentityStore } from './identity.ts';
import { inspect } from './inspect.ts';
import { releaseLease, takeLease } from './leases.ts';
import { listRecords } from './list-records.ts';
import { migrate } from './migrate.ts';
import { findNetworkDisk } from './network-disk.ts';
import { createOAuthStore } from './oauth-artifacts.ts';
import { readIndexEntries, readPassages } from './passages.ts';
import { pruneReceipts } from './prune-receipts.ts';
import { createReadCounter, type ReadCounter, readStatistics } from './read-counter.ts';
import {
  findReceipt,
  getRecords,
  listHeads,
  listIds,
  listRelations,
  listSpaces,
  listVersions,
} from './read-records.ts';
import { replaceSegments } from './replace-segments.ts';
import { LONGEST_WAIT_MS, retryWhileBusy } from './retry-while-busy.ts';
import { listSegments, readSegments } from './segments.ts';
import { createTransfer } from './transfer.ts';
import { createListUnembedded } from './unembedded.ts';
import { verify } from './verify.ts';
import { createWalScrubber, truncateWal } from './wal-scrubber.ts';
import { createWriterQueue, type WriterQueue } from './writer-queue.ts';

export interface SqliteStoreOptions {
  clock: Clock;
  log: Log;
  /** How long a write waits for other processes before it gives up with `busy`. */
  longestWaitMs?: number;
}

export async function openSqliteStore(path: string, options: SqliteStoreOptions): Promise<Store & AuthStore & Movable> {
  const { clock, log, longestWaitMs = LONGEST_WAIT_MS } = options;
  if (path !== IN_MEMORY) {
    createDatabaseFile(path);
    await refuseForeignFile(path);
    const networkDisk = findNetworkDisk(path);
    if (networkDisk !== null) log.warn('database_on_network_disk', { fileSystem: networkDisk });
  }
  const connection = await retryWhileBusy(() => openConnection(path), longestWaitMs);
  try {
    await migrate(connection, longestWaitMs);
  } catch (error) {
    connection.close();
    throw error;
  }
  const scrubber = createWalScrubber(connection, log);
  const queue = createWriterQueue(connection, scrubber, longestWaitMs);
  const reads = createReadCounter(connection, queue, log);
  const watch = createCommitWatch(connection, log);
  const read = <T>(work: () => T) => retryWhileBusy(work, longestWaitMs);

  let closing: Promise<void> | null = null;
  async function close(): Promise<void> {
    watch.close();
    await queue.close();
    reads.close();
    scrubber.close();
    truncateWal(connection);
    connection.close();
  }

  return {
    ...readingMethods(connection, read),
    ...indexMethods(connection, queue, { read, clock }),
    ...countingMethods(connection, reads, { read, clock }),
    ...createIdentityStore(connection, queue, clock),
    ...createOAuthStore(connection, queue),
    transfer: createTransfer(connection, queue),
    async commit(space, changes, actor) {
      const committed = await queue.write(() => applyCommit(connection, { space, changes, actor, now: clock.now() }), {
        weight: weighCommit(changes),
        scrub: changes.some(({ op }) => op === 'purge'),
      });
      watch.tell(space, committed);
      return committed;
    },
    watch: watch.watch,
    pruneReceipts: (space, before, limit) => pruneReceipts(connection, queue, { space, before, limit }),
    takeLease: (name, holder, until, now) => takeLease(connection, queue, { name, holder, until, now }),
    releaseLease: (name, holder) => releaseLease(connection, queue, { name, holder }),
    verify: (progress) => verify(connection, progress),
    backup: (target) => backup(connection, target),
    close() {
      closing ??= close();
      return closing;
    },
  };
}

type Read = <T>(work: () => T) => Promise<T>;

function readingMethods(connection: Connection, read: Read) {
  return {
    getRecords: (space, ids) => read(() => getRecords(connection, space, ids)),
    listVersions: (space, id) => read(() => listVersions(connection, space, id)),
    listRelations: (space, ids) => read(() => listRelations(connection, space, ids)),
    countLabels: (space, label) => read(() => countLabels(connection, space, label)),
    findReceipt: (space, key) => read(() => findReceipt(connection, space, key)),
    listSpaces: () => read(() => listSpaces(connection)),
    listHeads: () => read(() => listHeads(connection)),
    inspect: (space) => read(() => inspect(connection, space)),
  } satisfies Partial<Store>;
}

function indexMethods(connection: Connection, queue: WriterQueue, { read, clock }: { read: Read; clock: Clock }) {
  const listUnembedded = createListUnembedded(connection);
  return {
    head: (space) => read(() => readHead(connection, space)),
    changesAfter: (space, seq, limit) => read(() => readChangesAfter(connection, space, { seq, limit })),
    readIndexEntries: (space, ids) => read(() => readIndexEntries(connection, space, ids)),
    listIds: (space, after, limit) => read(() => listIds(connection, space, { after, limit })),
    readPassages: (space, ids) => read(() => readPassages(connection, space, ids)),
    listUnembedded: (space, embedder, limit) => read(() => listUnembedded(space, embedder, limit)),
    dropVectors: (space, embedder) => dropVectors(connection, queue, { space, embedder }),
    listSegments: (space) => read(() => listSegments(connection, space)),
    readSegments: (space, ids) => readSegments(connection, space, ids),
    replaceSegments: (space, old, next) => replaceSegments(connection, queue, { space, old, next, now: clock.now() }),
  } satisfies Partial<Store>;
}

function countingMethods(connection: Connection, reads: ReadCounter, { read, clock }: { read: Read; clock: Clock }) {
  return {
    async recordReads(space, ids: readonly RecordId[], at) {
      reads.count(space, ids, at);
    },
    readStatistics: (space, ids) =>
      read(() => {
        reads.flush();
        return readStatistics(connection, space, ids);
      }),
    listRecords: (space, filter, page) =>
      read(() => {
        if (filter.idleSince !== undefined) reads.flush();
        return listRecords(connection, { space, filter, page, now: clock.now() });
      }),
  } satisfies Partial<Store>;
}

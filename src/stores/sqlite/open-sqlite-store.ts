import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { AuthStore } from '../../auth/ports.ts';
import type { Clock, Log, Movable, Store } from '../../engine/ports.ts';
import type { Committed } from '../../model/change.ts';
import { foldCase } from '../../model/fold-case.ts';
import type { RecordId, ReplicaId, SpaceId } from '../../model/ids.ts';
import { paceTurn } from '../../model/turn.ts';
import { applyCommit, isLongCommit, takesAway, weighCommit } from '../sql/apply-commit.ts';
import type { CommitRequest } from '../sql/commit-work.ts';
import { lockHead, makeSpace, writeHead } from '../sql/feed.ts';
import type { DatabaseFacts } from '../sql/inspect.ts';
import { ALL_COUNTED } from '../sql/label-counts.ts';
import { createReadCounter } from '../sql/read-counter.ts';
import { ensureReplica } from '../sql/replica.ts';
import { createSnapshotStore } from '../sql/snapshot-store.ts';
import { createSqlStore, once, type SqlStoreParts } from '../sql/sql-store.ts';
import type { SqlDatabase, Steps } from '../sql/statements.ts';
import { addTally, newTally, noRows } from '../sql/sums.ts';
import { backup } from './backup.ts';
import { createBallast, NO_BALLAST } from './ballast.ts';
import { createCommitWatch } from './commit-watch.ts';
import { type Connection, IN_MEMORY, openConnection } from './connection.ts';
import { createWriteCounter } from './count-writes.ts';
import { createDatabaseFile, findNetworkDisk, refuseForeignFile } from './database-file.ts';
import { describeLostWrites, findLostWrites, nameLostWrites, readFound, refuseForeignLog } from './find-lost-writes.ts';
import { holdMoment } from './hold-moment.ts';
import { expectKnownSchema, migrate, SCHEMA_VERSION } from './migrate.ts';
import { openPieces, readSegmentBytes } from './read-pieces.ts';
import { createSqlDatabase } from './run-steps.ts';
import { createReadSpool } from './spooled-reads.ts';
import { isMalformed, LONGEST_WAIT_MS, retryWhileBusy, translateError } from './translate-error.ts';
import { createWalScrubber, truncateWal } from './wal-scrubber.ts';
import { forgetMarks } from './write-marks.ts';
import { createWriterQueue, type WriterQueue } from './writer-queue.ts';

interface SqliteStoreOptions {
  clock: Clock;
  log: Log;
  /** How long a write waits for other processes before it gives up with `busy`. */
  longestWaitMs?: number;
  /** It is opened for a single command: what that reads is counted by whoever writes next. */
  endsSoon?: boolean;
}

export async function openSqliteStore(path: string, options: SqliteStoreOptions): Promise<Store & AuthStore & Movable> {
  const { log, longestWaitMs = LONGEST_WAIT_MS, endsSoon = false } = options;
  let wasThere = false;
  if (path !== IN_MEMORY) {
    wasThere = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
    createDatabaseFile(path);
    await refuseForeignFile(path);
    refuseForeignLog(path);
    const networkDisk = findNetworkDisk(path);
    if (networkDisk !== null) log.warn('database_on_network_disk', { fileSystem: networkDisk });
  }
  const connection = await retryWhileBusy(() => openConnection(path), longestWaitMs);
  try {
    await migrate(connection, longestWaitMs);
    return await assemble(connection, { ...options, longestWaitMs, endsSoon, wasThere });
  } catch (error) {
    connection.close();
    throw translateError(error);
  }
}

async function assemble(
  connection: Connection,
  { clock, log, longestWaitMs, endsSoon, wasThere }: Required<SqliteStoreOptions> & { wasThere: boolean },
): Promise<Store & AuthStore & Movable> {
  const scrubber = createWalScrubber(connection, log);
  const ballast = connection.path === IN_MEMORY ? NO_BALLAST : createBallast(connection.path);
  const counter = createWriteCounter(connection.path, clock);
  const queue = createWriterQueue(connection, { scrubber, ballast, counter, longestWaitMs });
  const database = createSqlDatabase(connection, queue, longestWaitMs);
  const spool = connection.path === IN_MEMORY ? null : createReadSpool(connection.path);
  const reads = createReadCounter(database, log, { spool, endsSoon });
  const watch = createCommitWatch(connection, log);
  const { path } = connection;
  const found = readFound(connection);
  const replica = await ensureReplica(database, clock.now());
  let lost = path === IN_MEMORY ? null : findLostWrites({ path, replica: replica.id, wasThere }, found, log);
  const read = async <T>(work: () => T) => {
    await paceTurn();
    return retryWhileBusy(work, longestWaitMs);
  };
  const shared = { database, replica, clock, contentSearch: CONTENT_SEARCH };
  const tellLost = () => (lost === null ? [] : [describeLostWrites(lost)]);
  return {
    ...createSqlStore({
      ...shared,
      ...partsOn(connection, read),
      reads,
      checkDatabase: async () => [...tellLost(), ...(await checkDatabase(connection, read))],
      findUnindexed: (space, column, value) => read(() => findUnindexed(connection, { space, column, value })),
      async mendIndexes() {
        const accepted = lost === null ? [] : [`Accepted: ${nameLostWrites(lost)}`];
        if (lost !== null) forgetMarks(path);
        lost = null;
        return [...accepted, ...(await read(() => mendIndexes(connection)))];
      },
    }),
    async commit(space, changes, actor) {
      const committed = await commit(database, { space, changes, actor, now: clock.now() }, replica.id);
      watch.tell(space, committed);
      return committed;
    },
    lostWrites: () => (lost === null ? null : { count: lost.count, message: describeLostWrites(lost) }),
    expectKnownSchema: () => read(() => expectKnownSchema(connection)),
    watch: watch.watch,
    eraseTraces: async () => ((await read(() => truncateWal(connection))) ? [] : [LOG_IN_USE]),
    giveBackRoom: () => giveBackRoom(connection, queue),
    backup: (target) => backup(connection, target),
    async openSnapshot() {
      const moment = path === IN_MEMORY ? null : await holdMoment(path, longestWaitMs);
      if (moment === null) return null;
      const unchecked = { checkDatabase: async () => [], mendIndexes: async () => [], findUnindexed: null };
      return createSnapshotStore({ ...shared, ...partsOn(moment.connection, read), ...unchecked }, moment);
    },
    close: once(async () => {
      watch.close();
      await queue.close();
      await reads.close();
      scrubber.close();
      truncateWal(connection);
      connection.close();
      counter.close();
    }),
  };
}

const CONTENT_SEARCH: SqlStoreParts['contentSearch'] = {
  condition: (place) => `ltm_contains(content, ${place})`,
  value: foldCase,
};

/** What reads past the shared statements. */
function partsOn(
  connection: Connection,
  read: Read,
): Pick<SqlStoreParts, 'readSegmentBytes' | 'openPieces' | 'describeDatabase'> {
  return {
    readSegmentBytes: (space, row) => readSegmentBytes(connection, space, { row, read }),
    openPieces: (space, row) => openPieces(connection, space, row),
    describeDatabase: () => read(() => describeDatabase(connection)),
  };
}

const LOG_IN_USE =
  'The write-ahead log of the database still holds the old text, because other processes are using it. It is emptied when they pause, or when the last of them ends.';

function commit(database: SqlDatabase, request: CommitRequest, replica: ReplicaId): Promise<Committed> {
  const { space, changes } = request;
  return database.write({ space }, () => applyOne(request, replica), {
    weight: weighCommit(changes),
    scrub: changes.some(({ op }) => op === 'purge' || op === 'expire'),
    frees: takesAway(changes),
    isLong: isLongCommit(changes),
    keeps: ({ outcome }) => outcome === 'committed',
  });
}

function* applyOne(request: CommitRequest, replica: ReplicaId): Steps<Committed> {
  const { space, now } = request;
  const known = yield* lockHead(space);
  if (known === null) yield* makeSpace(space, now);
  const { seq: head, counts, counted } = known ?? { seq: 0, counts: noRows(), counted: ALL_COUNTED };
  const tally = newTally(counted);
  const committed = yield* applyCommit(request, {
    head,
    mark: null,
    tally,
    replica: known?.replica ?? replica,
    isSealed: (known?.sealed ?? 0) > 0,
  });
  if (committed.outcome === 'committed' && committed.head !== head)
    yield* writeHead(space, { seq: committed.head, counts: addTally(counts, tally) });
  return committed;
}

function describeDatabase(connection: Connection): DatabaseFacts {
  const { path } = connection;
  const pages = connection
    .statement('SELECT page_count * page_size AS n FROM pragma_page_count, pragma_page_size')
    .get();
  const walBytes = path === IN_MEMORY ? 0 : (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0);
  const bytes = Number(pages?.n) + walBytes;
  return { store: 'sqlite', location: path, bytes, schemaVersion: SCHEMA_VERSION, rowSecurity: null };
}

const CHECKS = [
  'PRAGMA integrity_check',
  'PRAGMA foreign_key_check',
  'SELECT id FROM records WHERE space_id NOT IN (SELECT space_id FROM spaces)',
];

type Read = <T>(work: () => T) => Promise<T>;

async function checkDatabase(connection: Connection, read: Read): Promise<string[]> {
  const { path } = connection;
  // Asked for only then: a connection that locks others out is renewed in between.
  const here = () => read(() => CHECKS.map((sql) => connection.database.prepare(sql).all()));
  // Where a second connection is refused (a full disk, a file too damaged to be opened anew), this one looks: it names the damage all the same.
  const [problems, orphans, strays] = (await (path === IN_MEMORY
    ? here()
    : selectInThread(path, CHECKS).catch(here))) as [
    { integrity_check: string }[],
    { table: string; parent: string }[],
    { id: string }[],
  ];
  return [
    ...problems.map(({ integrity_check }) => integrity_check).filter((text) => text !== 'ok'),
    ...orphans.map(({ table, parent }) => `A row of ${table} refers to a missing row of ${parent}.`),
    ...strays.map(({ id }) => `The record ${id} belongs to a space that is not there.`),
  ];
}

/** By the index of ids alone, and the rows themselves. */
function findUnindexed(
  connection: Connection,
  { space, column, value }: { space: SpaceId; column: 'key' | 'content_hash'; value: string },
): RecordId[] {
  const sql = `SELECT id FROM records INDEXED BY sqlite_autoindex_records_1 WHERE space_id = ? AND ${column} = ?`;
  return (connection.statement(sql).all(space, value) as { id: RecordId }[]).map(({ id }) => id);
}

/** A REINDEX reads the tables alone. */
function mendIndexes({ database }: Connection): string[] {
  const problems = database.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[];
  if (problems[0]?.integrity_check === 'ok') return [];
  try {
    database.exec('REINDEX');
    return ["The database's own indexes were made anew."];
  } catch (error) {
    if (!isMalformed(error)) throw error;
    return []; // what is damaged beyond that is named by the next check
  }
}

/** As text, so that a bundle needs no second file. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync(workerData.path, { readOnly: true });
const answers = workerData.statements.map((sql) => database.prepare(sql).all());
database.close();
parentPort.postMessage(answers);
`;

/** The rows of statements that read the whole file, from a thread of their own: on this one everything else would wait for seconds. Rejects with whatever went wrong. */
function selectInThread(path: string, statements: readonly string[]): Promise<unknown[][]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(THREAD, { eval: true, workerData: { path, statements }, stderr: true });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The thread ended with ${code}.`)));
  });
}

/** Pages moved in one transaction: a few milliseconds, so that others get their turn. */
const AT_ONCE = 100;
/** A share of the file that is worth the work, and what stays for what is written next. */
const WORTH_IT = 0.02;
const KEPT = 0.005;
/** SQLite's number for a file whose pages can be moved. Those made by releases before 0.2 cannot, unless they are written anew as a whole. */
const INCREMENTAL = 2;

/**
 * Pages that pruned changes, merged segments and purged records have left go back to the disk: pages from the end of the file take their place. Returns how
 * many. Nothing is done where they are few.
 */
async function giveBackRoom(connection: Connection, queue: WriterQueue): Promise<number> {
  if (readPragma(connection, 'auto_vacuum') !== INCREMENTAL) return 0;
  const before = readPragma(connection, 'page_count');
  if (readPragma(connection, 'freelist_count') < WORTH_IT * before) return 0;
  for (let free = readPragma(connection, 'freelist_count'); free > KEPT * before; ) {
    await queue.write(() => moveSome(connection), { weight: Number.MAX_SAFE_INTEGER, frees: true });
    const left = readPragma(connection, 'freelist_count');
    // Others free pages meanwhile: they get their own round.
    if (left >= free) break;
    free = left;
  }
  return before - readPragma(connection, 'page_count');
}

function moveSome(connection: Connection): { keep: true; value: null } {
  connection.exec(`PRAGMA incremental_vacuum(${AT_ONCE})`);
  return { keep: true, value: null };
}

function readPragma(connection: Connection, name: 'auto_vacuum' | 'page_count' | 'freelist_count'): number {
  return Number(connection.statement(`PRAGMA ${name}`).get()?.[name]);
}

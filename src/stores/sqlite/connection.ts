import { constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { EngineError } from '../../model/errors.ts';
import { foldCase } from '../../model/fold-case.ts';
import { mayAccess } from './may-access.ts';
import { isOutOfRoom } from './translate-error.ts';

export const IN_MEMORY = ':memory:';
const WAL_LIMIT_BYTES = 64 * 1024 * 1024;
/** Listings make statements of many shapes; more than this many are not worth keeping. */
const MAX_STATEMENTS = 300;
/** How long a connection that locks others out is kept. */
const ALONE_MS = 250;

/** One SQLite connection with our settings. Everything on it is synchronous, so no two pieces of work ever interleave. */
export interface Connection {
  readonly path: string;
  readonly database: DatabaseSync;
  /** It locks others out, or sees nothing of what they write, and is opened anew from time to time. */
  readonly isAlone: boolean;
  /** Prepared once, then kept. */
  statement(sql: string): StatementSync;
  /** Likewise, for rows without the names of their columns, which are handed out once. */
  unnamed(sql: string): { statement: StatementSync; columns: readonly string[] };
  exec(sql: string): void;
  /** Drops a connection that met an I/O error; the next use opens a fresh one. */
  discard(): void;
  close(): void;
}

/** Throws the driver's own errors; callers wrap it in retryWhileBusy, since setting WAL up waits for other processes. */
export function openConnection(path: string): Connection {
  let current: DatabaseSync | null = null;
  let closed = false;
  let alone = false;
  let renewal: NodeJS.Timeout | null = null;
  const statements = new Map<string, StatementSync>();
  const unnamed = new Map<string, ReturnType<Connection['unnamed']>>();

  function database(): DatabaseSync {
    if (closed) throw new EngineError('internal', 'The store is closed.');
    if (current !== null) return current;
    const { opened, isAlone } = openDatabase(path);
    current = opened;
    alone = isAlone;
    if (isAlone) renewal = setTimeout(discard, ALONE_MS).unref();
    return current;
  }
  function discard(): void {
    if (renewal !== null) clearTimeout(renewal);
    renewal = null;
    statements.clear();
    unnamed.clear();
    current?.close();
    current = null;
  }

  database();
  return {
    path,
    get database() {
      return database();
    },
    get isAlone() {
      return alone;
    },
    statement(sql) {
      return statements.get(sql) ?? keep(statements, sql, database().prepare(sql));
    },
    unnamed(sql) {
      const kept = unnamed.get(sql);
      if (kept !== undefined) return kept;
      const statement = database().prepare(sql);
      statement.setReturnArrays(true);
      return keep(unnamed, sql, { statement, columns: statement.columns().map(({ name }) => name) });
    },
    exec: (sql) => database().exec(sql),
    discard,
    close() {
      discard();
      closed = true;
    },
  };
}

function keep<T>(prepared: Map<string, T>, sql: string, one: T): T {
  if (prepared.size >= MAX_STATEMENTS) prepared.delete(prepared.keys().next().value!);
  prepared.set(sql, one);
  return one;
}

/**
 * Processes share a few kilobytes in a file beside the database. Where the disk has no room even for them, the database can still be read by one
 * process at a time, which then has it alone.
 */
function openDatabase(path: string): { opened: DatabaseSync; isAlone: boolean } {
  try {
    return { opened: connect(path, 'NORMAL'), isAlone: false };
  } catch (error) {
    if (path === IN_MEMORY) throw error;
    if (isUnwritable(path)) return { opened: connectReadOnly(path), isAlone: true };
    if (!isOutOfRoom(error)) throw error;
    return { opened: connect(path, 'EXCLUSIVE'), isAlone: true };
  }
}

/** A file or a folder that this process may only read, and no log beside it that would have to be read with it. */
function isUnwritable(path: string): boolean {
  const mayWrite = [path, dirname(path)].every((place) => mayAccess(place, constants.W_OK));
  return !mayWrite && (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

/**
 * As the file is, without locks, which could not be taken. Its owner may write to it elsewhere, so it is opened anew from time to time; while there is a log
 * beside it, it is not opened at all. Whoever writes is told that it cannot be.
 */
function connectReadOnly(path: string): DatabaseSync {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  const database = new DatabaseSync(url, { readOnly: true, enableDoubleQuotedStringLiterals: false });
  database.exec(
    'PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY',
  );
  database.function('ltm_contains', { deterministic: true, directOnly: true }, containsFolded);
  return database;
}

function connect(path: string, locking: 'NORMAL' | 'EXCLUSIVE'): DatabaseSync {
  const database = new DatabaseSync(path, {
    timeout: 0,
    enableForeignKeyConstraints: true,
    enableDoubleQuotedStringLiterals: false,
    allowExtension: false,
  });
  try {
    database.exec(`PRAGMA locking_mode = ${locking}`);
    // Only before the first page is written: pages can be moved later, and what is free goes back to the disk (give-back-room.ts).
    if (isEmptyFile(path)) database.exec('PRAGMA auto_vacuum = INCREMENTAL');
    configure(database, path === IN_MEMORY ? 'memory' : 'wal');
    database.function('ltm_contains', { deterministic: true, directOnly: true }, containsFolded);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function isEmptyFile(path: string): boolean {
  return path !== IN_MEMORY && (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

function configure(database: DatabaseSync, journalMode: string): void {
  checkSqliteVersion(String(database.prepare('SELECT sqlite_version() AS value').get()?.value));
  database.exec(`
    PRAGMA trusted_schema = OFF;
    PRAGMA cell_size_check = ON;
    PRAGMA mmap_size = 0;
    PRAGMA cache_size = -8000;
    PRAGMA temp_store = MEMORY;
    PRAGMA synchronous = FULL;
  `);
  expectSetting(database, 'journal_mode', journalMode, `= ${journalMode}`);
  database.exec(`
    PRAGMA journal_size_limit = ${WAL_LIMIT_BYTES};
    PRAGMA secure_delete = ON;
  `);
  expectSetting(database, 'synchronous', 2);
  expectSetting(database, 'foreign_keys', 1);
  expectSetting(database, 'secure_delete', 1);
}

/** A setting that did not take would break a promise silently (durability, purging), so it is read back. */
function expectSetting(database: DatabaseSync, name: string, wanted: string | number, assignment = ''): void {
  const row = database.prepare(`PRAGMA ${name} ${assignment}`).get() ?? {};
  const actual = row[name];
  if (actual === wanted) return;
  throw new EngineError(
    'storage_unsupported',
    `The database does not accept ${name} = ${wanted}; it stays at ${actual}.`,
    {
      hint: 'Keep the database on a local disk.',
      details: { setting: name },
    },
  );
}

function containsFolded(text: unknown, folded: unknown): number {
  return foldCase(String(text)).includes(String(folded)) ? 1 : 0;
}

/** Several reads that see one and the same state, whatever other processes write meanwhile. */
export function readSnapshot<T>(connection: Connection, work: () => T): T {
  connection.statement('BEGIN').run();
  try {
    return work();
  } finally {
    // SQLite ends the transaction by itself after some errors.
    if (connection.database.isTransaction) connection.statement('ROLLBACK').run();
  }
}

/** Up to 3.51.2 two writers can corrupt a WAL database when a checkpoint meets them at the wrong moment. */
const OLDEST_SAFE = [3, 51, 3] as const;

export function isSafeSqliteVersion(version: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [i, least] of OLDEST_SAFE.entries()) {
    const part = parts[i] ?? 0;
    if (!Number.isInteger(part)) return false;
    if (part !== least) return part > least;
  }
  return true;
}

export function checkSqliteVersion(version: string): void {
  if (isSafeSqliteVersion(version)) return;
  throw new EngineError(
    'storage_unsupported',
    `SQLite ${version} can corrupt a database that several programs write to; ${OLDEST_SAFE.join('.')} or later is needed.`,
    {
      hint: 'Use Node 22.22.3, 24.15, 25.9 or newer: SQLite comes with it.',
      details: { version },
    },
  );
}

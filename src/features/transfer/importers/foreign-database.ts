import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

type Row = Readonly<Record<string, unknown>>;

export interface ForeignDatabase {
  /** Rows of a table in the order of a column, with what columns it has; nothing where there is no such table. */
  rows(table: string, orderBy?: string): Iterable<Row>;
  close(): void;
}

/**
 * Only ever read. SQLite leaves files of its own beside a database with a write-ahead log, also where it may only read; not if it is told that nobody writes, which is
 * so where no log lies beside it.
 */
function openReadOnly(path: string): DatabaseSync {
  if (existsSync(`${path}-wal`)) return new DatabaseSync(path, { readOnly: true });
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return new DatabaseSync(url, { readOnly: true });
}

/** A database of another system. */
function openForeign(path: string): ForeignDatabase {
  const database = openReadOnly(path);
  const tables = listTables(database);
  const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
  return {
    *rows(table, orderBy) {
      const columns = tables.get(table);
      if (columns === undefined) return;
      const order = orderBy !== undefined && columns.includes(orderBy) ? ` ORDER BY ${quote(orderBy)}` : '';
      const names = columns.map(quote).join(', ');
      yield* database.prepare(`SELECT ${names} FROM ${quote(table)}${order}`).iterate() as Iterable<Row>;
    },
    close: () => database.close(),
  };
}

/** Its tables with their columns; none for a file that is no SQLite database. Virtual ones, which need a program of theirs, have no columns. */
export function tablesIn(path: string): Map<string, readonly string[]> {
  const database = openReadOnly(path);
  try {
    return listTables(database);
  } finally {
    database.close();
  }
}

function listTables(database: DatabaseSync): Map<string, readonly string[]> {
  const found = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
    .all();
  return new Map(
    found.map(({ name }) => [
      String(name),
      database
        .prepare('SELECT name FROM pragma_table_info(?)')
        .all(String(name))
        .map((column) => String(column.name)),
    ]),
  );
}

/** Reads with the database open, and closes it whenever the reader stops. */
export function* withForeign<T>(path: string, read: (database: ForeignDatabase) => Iterable<T>): Generator<T> {
  const database = openForeign(path);
  try {
    yield* read(database);
  } finally {
    database.close();
  }
}

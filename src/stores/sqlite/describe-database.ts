import { statSync } from 'node:fs';
import type { DatabaseFacts } from '../sql/inspect.ts';
import { type Connection, IN_MEMORY } from './connection.ts';
import { SCHEMA_VERSION } from './migrate.ts';

export function describeDatabase(connection: Connection): DatabaseFacts {
  const { path } = connection;
  const pages = connection
    .statement('SELECT page_count * page_size AS n FROM pragma_page_count, pragma_page_size')
    .get();
  const walBytes = path === IN_MEMORY ? 0 : (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0);
  const bytes = Number(pages?.n) + walBytes;
  return { store: 'sqlite', location: path, bytes, schemaVersion: SCHEMA_VERSION };
}

export function checkDatabase({ database }: Connection): string[] {
  const problems = database.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[];
  const orphans = database.prepare('PRAGMA foreign_key_check').all() as { table: string; parent: string }[];
  const strays = database.prepare('SELECT id FROM records WHERE space_id NOT IN (SELECT space_id FROM spaces)').all();
  return [
    ...problems.map(({ integrity_check }) => integrity_check).filter((text) => text !== 'ok'),
    ...orphans.map(({ table, parent }) => `A row of ${table} belongs to a row of ${parent} that is not there.`),
    ...strays.map(({ id }) => `The record ${id} belongs to a space that is not there.`),
  ];
}

import type { DatabaseFacts } from '../sql/inspect.ts';
import { count, type Steps, select } from '../sql/statements.ts';
import { SCHEMA_VERSION } from './migrate.ts';

export function* describeDatabase(location: string): Steps<DatabaseFacts> {
  const bytes = yield* count(
    "SELECT sum(pg_total_relation_size(oid))::bigint AS n FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'",
  );
  return { store: 'postgres', location, bytes, schemaVersion: SCHEMA_VERSION };
}

/** What the server can tell of its files is its own business (checksums of pages, amcheck). */
export function* findInvalidIndexes(): Steps<string[]> {
  const rows = yield* select<{ name: string }>(
    `SELECT c.relname::text AS name FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
     WHERE c.relnamespace = current_schema()::regnamespace AND NOT (i.indisvalid AND i.indisready)`,
  );
  return rows.map(({ name }) => `The index ${name} is not valid; REINDEX it.`);
}

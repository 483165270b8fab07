import type { Database } from './database.ts';
import { quoteName } from './quote.ts';
import { sqlState } from './translate-error.ts';

/** The tables that hold texts, or words of them. */
const TABLES = [
  'records',
  'record_versions',
  'record_tags',
  'passages',
  'vectors',
  'relations',
  'receipts',
  'segment_parts',
  'label_counts',
  'chunks',
];
const LONGEST_MS = 600_000;

/**
 * Vacuums what this role may vacuum; the server passes over the rest with no more than a warning, so it is asked first. A plain VACUUM frees the place of
 * a row and leaves its bytes there until another row takes it; only a table that is written anew (`rewrites`) has lost them, and nobody uses it meanwhile.
 */
export async function eraseTraces(
  database: Database,
  { schema, rewrites }: { schema: string; rewrites: boolean },
): Promise<string[]> {
  const vacuum = rewrites ? 'VACUUM FULL' : 'VACUUM';
  return database.withSession(async (session) => {
    const { rows } = await session.query<{ name: string; ours: boolean }>(
      `SELECT relname::text AS name, pg_has_role(relowner, 'USAGE') AS ours FROM pg_class
       WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $2) AND relkind IN ('r', 'p') AND relname = ANY ($1)`,
      [TABLES, schema],
    );
    const rest = rows.filter((row) => !row.ours).map(({ name }) => name);
    for (const { name } of rows.filter((row) => row.ours)) {
      try {
        await session.run(`${vacuum} ${quoteName(schema)}.${quoteName(name)}`, LONGEST_MS);
      } catch (error) {
        if (sqlState(error) === null) throw error;
        rest.push(name);
      }
    }
    return [
      ...(rest.length === 0
        ? []
        : [
            `Pages of PostgreSQL hold the old text until they are vacuumed, which the owner of the tables may do at once: ${rest.map((name) => `${vacuum} ${schema}.${name};`).join(' ')}`,
          ]),
      ...(rewrites
        ? []
        : [
            'Pages of PostgreSQL may hold the old bytes until other rows take their place; VACUUM FULL writes them anew.',
          ]),
      'The write-ahead log of PostgreSQL, its archive, replicas and earlier backups may hold the old text.',
    ];
  });
}

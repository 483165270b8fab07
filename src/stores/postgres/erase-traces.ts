import type { Database } from './database.ts';
import { quoteName } from './quote.ts';

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
];
const LONGEST_MS = 600_000;

/** Vacuums what this role may vacuum; the server passes over the rest with no more than a warning, so it is asked first. */
export async function eraseTraces(database: Database): Promise<string[]> {
  return database.withSession(async (session) => {
    const { rows } = await session.query<{ name: string; ours: boolean }>(
      `SELECT relname::text AS name, pg_has_role(relowner, 'USAGE') AS ours FROM pg_class
       WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND relname = ANY ($1)`,
      [TABLES],
    );
    const ours = rows.filter((row) => row.ours).map(({ name }) => quoteName(name));
    if (ours.length > 0) await session.run(`VACUUM ${ours.join(', ')}`, LONGEST_MS);
    const rest = rows.filter((row) => !row.ours).map(({ name }) => name);
    return [
      ...(rest.length === 0
        ? []
        : [
            `Pages of PostgreSQL hold the old text until they are vacuumed, which the owner of the tables may do at once: VACUUM ${rest.join(', ')};`,
          ]),
      'The write-ahead log of PostgreSQL, its archive, replicas and earlier backups may hold the old text.',
    ];
  });
}

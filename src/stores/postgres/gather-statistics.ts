import { planArrangement } from './arrange-roles.ts';
import type { Session } from './database.ts';
import { quoteName } from './quote.ts';

/** Samples of some thousand rows of each table, however large. */
const LIMIT_MS = 600_000;

/**
 * Tells the server's planner what is in the tables, as their owner; false where this role may not take the owner's place. The server does so by itself some
 * time after many rows have come in, and until then may go through whole tables for a few rows.
 */
export async function gatherStatistics(session: Session, schema: string): Promise<boolean> {
  const { stepping, tables, facts } = await planArrangement(session, schema, { owner: null, serving: [] });
  if (stepping === null) return false;
  const analyse = tables.map(({ name }) => `ANALYZE ${quoteName(schema)}.${quoteName(name)}`);
  if (facts.isCitus) {
    for (const sql of analyse) await session.run(sql, LIMIT_MS);
    return true;
  }
  await session.run('BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 5000');
  for (const sql of [...stepping.join, ...stepping.stepIn, ...analyse, ...stepping.stepOut, 'COMMIT'])
    await session.run(sql, LIMIT_MS);
  return true;
}

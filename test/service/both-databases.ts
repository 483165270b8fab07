import { after, type TestContext, test } from 'node:test';
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from '../postgres/private-postgres.ts';
import { type ServiceClient, startServiceTools } from './service-client.ts';

const found = findPostgres();
const skip = 'missing' in found ? found.missing : false;

let postgres: Promise<PrivatePostgres> | null = null;
after(async () => (await postgres)?.stop());

/** A database of its own on the one server that a file of tests shares. */
async function makeDatabase(): Promise<string> {
  postgres ??= startPrivatePostgres();
  const server = await postgres;
  return server.url({ database: await server.createDatabase() });
}

/** The same twice: `db` is null for a file that the program makes. */
export function onBothDatabases(title: string, run: (t: TestContext, db: string | null) => Promise<void>): void {
  test(`${title}, on SQLite`, (t) => run(t, null));
  test(`${title}, on PostgreSQL`, { skip }, async (t) => run(t, await makeDatabase()));
}

/** The service's tools over stdio, on that database. */
export async function openTools(
  t: TestContext,
  db: string | null,
  env: Record<string, string> = {},
): Promise<ServiceClient> {
  const ltm = await startServiceTools({ ...(db !== null && { LTM_DB: db }), ...env });
  t.after(() => ltm.close());
  return ltm;
}

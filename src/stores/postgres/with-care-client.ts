import pg from 'pg';
import { readConnectionUrl } from './connection-url.ts';
import { translateError } from './translate-error.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** Waits for programs that are using the tables, but not for ever: nobody can write while this waits. */
const LOCK_TIMEOUT_MS = 30_000;

/** A connection of its own, without the limits of everyday statements: moving data takes as long as it takes. */
export async function withCareClient<T>(url: string, work: (client: pg.Client, schema: string) => Promise<T>): Promise<T> {
  const { secretUrl, schema } = readConnectionUrl(url);
  const client = new pg.Client({ connectionString: secretUrl, application_name: 'ltm', connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0`);
    return await work(client, schema);
  } catch (error) {
    throw translateError(error);
  } finally {
    await client.end().catch(() => {});
  }
}

import pg from 'pg';
import { readConnectionUrl } from './connection-url.ts';
import { quoteName } from './quote.ts';
import { translateError } from './translate-error.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** Waits for programs that are using the tables, but not for ever: nobody can write while this waits. */
const LOCK_TIMEOUT_MS = 30_000;

/** A connection of its own, beside those of a running server. */
export async function withCareClient<T>(
  url: string,
  work: (client: pg.Client, schema: string) => Promise<T>,
): Promise<T> {
  const { secretUrl, schema } = readConnectionUrl(url);
  const client = new pg.Client({
    connectionString: secretUrl,
    application_name: 'ltm',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client, schema);
  } catch (error) {
    throw translateError(error);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Moving data takes as long as it takes. Holds for the rest of the connection, so it wants the server itself and not a pooler in transaction mode. */
export async function liftTimeLimits(client: pg.Client): Promise<void> {
  await client.query(
    `SET lock_timeout = ${LOCK_TIMEOUT_MS}; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0`,
  );
}

/** True when the schema that the address names has been made by ltm. */
export async function holdsTables(url: string): Promise<boolean> {
  return withCareClient(url, async (client, schema) => {
    const { rows } = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [
      `${quoteName(schema)}.ltm_schema`,
    ]);
    return rows[0]?.found === true;
  });
}

import type { PGlite } from '@electric-sql/pglite';
import { openPostgresStore, openStoreOn } from '../../src/stores/postgres/open-postgres-store.ts';
import type { FullStore, StoreUnderTest } from '../stores/contract/store-under-test.ts';
import { openPgliteDatabase } from '../stores/postgres/fixtures/pglite-database.ts';
import { CLOCK, SILENT } from '../stores/sqlite/fixtures/temp-store.ts';
import type { PrivatePostgres } from './private-postgres.ts';

const OPTIONS = { clock: CLOCK, log: SILENT };
let made = 0;
/** Schemas that are empty again: making all tables anew would cost each test a tenth of a second. */
const emptied = new Map<object, string[]>();

function takeSchema(owner: object): string {
  return emptied.get(owner)?.pop() ?? `test_${++made}`;
}

async function giveBack(owner: object, schema: string, run: (sql: string) => Promise<unknown>): Promise<void> {
  // Deleting takes a tenth of the time of truncating, but leaves rows behind that are dead, and PGlite has nobody who clears them away: many make what follows slow.
  await run(`DO $$ DECLARE name text; empty text; BEGIN
    SET LOCAL session_replication_role = replica;
    SELECT CASE WHEN count(*) > 200 THEN 'TRUNCATE ${schema}.%I CASCADE' ELSE 'DELETE FROM ${schema}.%I' END INTO empty FROM ${schema}.records;
    FOR name IN SELECT relname FROM pg_class WHERE relnamespace = '${schema}'::regnamespace AND relkind = 'r' AND relname <> 'ltm_schema'
    LOOP EXECUTE format(empty, name); END LOOP;
  END $$`);
  emptied.set(owner, [...(emptied.get(owner) ?? []), schema]);
}

/** A schema of its own for each store, in one PGlite. */
export async function makePgliteStore(pglite: PGlite): Promise<StoreUnderTest> {
  const schema = takeSchema(pglite);
  return collect(
    () => openStoreOn(openPgliteDatabase(pglite), schema, OPTIONS),
    () => giveBack(pglite, schema, (sql) => pglite.exec(sql)),
  );
}

/** A schema of its own for each store, in one database of a real server, also by way of a pooler. */
export async function makeServerStore(
  postgres: PrivatePostgres,
  { through, ...options }: { superuser?: boolean; through?: (url: string) => string } = {},
): Promise<StoreUnderTest & { schema: string; url: string }> {
  const schema = takeSchema(postgres);
  const url = postgres.url({ ...options, schema });
  const under = await collect(
    () =>
      through === undefined
        ? openPostgresStore(url, OPTIONS)
        : openPostgresStore(through(url), { ...OPTIONS, listenUrl: url }),
    () => giveBack(postgres, schema, (sql) => postgres.admin(sql)),
  );
  return { ...under, schema, url };
}

export async function collect(open: () => Promise<FullStore>, drop: () => Promise<void>): Promise<StoreUnderTest> {
  const opened: FullStore[] = [];
  const reopen = async () => {
    const store = await open();
    opened.push(store);
    return store;
  };
  return {
    store: await reopen(),
    reopen,
    async destroy() {
      for (const store of opened) await store.close();
      await drop();
    },
  };
}

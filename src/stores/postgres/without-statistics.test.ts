import { deepEqual, equal, ok } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from '../../../test/postgres/private-postgres.ts';
import { ACTOR, put, SPACE, START, vector } from '../../../test/stores/contract/sample-records.ts';
import { type FullStore, headOf } from '../../../test/stores/contract/store-under-test.ts';
import { CLOCK, SILENT } from '../../../test/stores/sqlite/fixtures/temp-store.ts';
import { openPostgresStore } from './open-postgres-store.ts';

const found = findPostgres();
const RECORDS = 20_000;
/** A nested loop over all of them takes longer than a statement may take. */
const SOON_MS = 10_000;

/** As a restored database is: many rows, and nothing that the planner knows of them. */
describe('a database whose statistics nobody has gathered', {
  skip: 'missing' in found ? found.missing : false,
}, () => {
  let postgres: PrivatePostgres;
  let store: FullStore;
  before(async () => {
    postgres = await startPrivatePostgres({ settings: ['autovacuum=off'] });
    store = await openPostgresStore(postgres.url({ schema: 'ltm' }), { clock: CLOCK, log: SILENT });
    const one = put({ content: 'a note' }, { vectors: [vector(0)] });
    headOf(await store.commit(SPACE, [one], ACTOR));
    const [columns] = await postgres.admin(
      `SELECT string_agg(quote_ident(column_name), ', ') AS names FROM information_schema.columns
       WHERE table_schema = 'ltm' AND table_name = 'records' AND column_name <> 'id'`,
    );
    const { names } = columns as { names: string };
    const series = `generate_series(1, ${RECORDS - 1}) AS n`;
    await postgres.admin(`SET search_path = ltm;
      INSERT INTO records (id, ${names}) SELECT 'copy' || n, ${names} FROM records, ${series};
      INSERT INTO passages SELECT space_id, 'copy' || n, ordinal, text, starts_at, ends_at FROM passages, ${series};
      INSERT INTO vectors SELECT space_id, 'copy' || n, ordinal, embedder, scale, bytes, crc FROM vectors, ${series}`);
    // As after a copy: nothing is counted yet.
    await store.transfer.takeIn(SPACE, { spaceCreatedAt: START, progress: {} });
  });
  after(async () => {
    await store?.close();
    await postgres?.stop();
  });

  test('tells what lacks vectors, and its counts, as soon as any other', async () => {
    const started = performance.now();
    deepEqual(await store.listUnembedded(SPACE, 'toy@2', 10_000), []);
    equal((await store.listUnembedded(SPACE, 'other@1', 10_000)).length, 10_000);
    const { records, passages, vectors } = await store.inspect(SPACE);
    deepEqual([records, passages, vectors], [RECORDS, RECORDS, [{ embedder: 'toy@2', passages: RECORDS }]]);
    ok(performance.now() - started < SOON_MS, `${performance.now() - started} ms`);
  });

  test('has them gathered as the owner of its tables, where the role may take its place', async () => {
    const known = () =>
      postgres.admin("SELECT DISTINCT tablename AS name FROM pg_stats WHERE schemaname = 'ltm' AND n_distinct <> 0");
    deepEqual(await known(), []);
    equal(await store.gatherStatistics?.(), true);
    const names = (await known()).map(({ name }) => name);
    for (const table of ['records', 'passages', 'vectors']) ok(names.includes(table), table);
  });

  test('leaves them to the server where the role may not', async () => {
    await postgres.createRole('serving', 'LOGIN');
    await postgres.admin(
      'GRANT USAGE ON SCHEMA ltm TO serving; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ltm TO serving',
    );
    const url = postgres.url({ role: 'serving', schema: 'ltm' });
    const served = await openPostgresStore(url, { clock: CLOCK, log: SILENT });
    equal(await served.gatherStatistics?.(), false);
    await served.close();
    const helped = await openPostgresStore(url, {
      clock: CLOCK,
      log: SILENT,
      adminUrl: postgres.url({ schema: 'ltm' }),
    });
    equal(await helped.gatherStatistics?.(), true);
    await helped.close();
  });
});

import { deepEqual, equal, match } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { makeServerStore } from '../../../test/postgres/postgres-stores.ts';
import { findPgBouncer, type PrivatePgBouncer, startPgBouncer } from '../../../test/postgres/private-pgbouncer.ts';
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from '../../../test/postgres/private-postgres.ts';
import { ACTOR, put, SPACE } from '../../../test/stores/contract/sample-records.ts';
import { headOf } from '../../../test/stores/contract/store-under-test.ts';
import { CLOCK, SILENT } from '../../../test/stores/sqlite/fixtures/temp-store.ts';
import { runStoreContract } from '../../../test/stores/store-contract.ts';
import { openPostgresStore } from './open-postgres-store.ts';

const found = [findPostgres(), findPgBouncer()].find((one) => 'missing' in one);
if (found !== undefined && 'missing' in found) {
  test('PostgreSQL behind PgBouncer', { skip: found.missing }, () => {});
} else {
  let postgres: PrivatePostgres;
  let pooler: PrivatePgBouncer;
  before(async () => {
    postgres = await startPrivatePostgres();
    pooler = await startPgBouncer(postgres.url(), 'transaction');
  });
  after(async () => {
    await pooler.stop();
    await postgres.stop();
  });

  describe('PgBouncer in transaction mode', () => {
    test('makes two stores on the same connections neither lose statements nor run those of each other', async () => {
      const warnings = new Set<string>();
      const log = { ...SILENT, warn: (event: string) => void warnings.add(event) };
      const urls = ['shared_a', 'shared_b'].map((schema) => pooler.through(postgres.url({ schema })));
      const stores = await Promise.all(urls.map((url) => openPostgresStore(url, { clock: CLOCK, log })));
      for (let round = 0; round < 10; round++) {
        await Promise.all(
          stores.flatMap((store, i) => [
            ...Array.from({ length: 4 }, (_, n) =>
              store.commit(SPACE, [put({ content: `${i} ${round} ${n}` })], ACTOR).then(headOf),
            ),
            store.listRecords(SPACE, {}, { limit: 5 }),
            store.head('another'),
            store.countLabels(SPACE, 'tag'),
          ]),
        );
      }
      for (const [i, store] of stores.entries()) {
        const { items, total } = await store.listRecords(SPACE, {}, { limit: 100 });
        deepEqual([total, items.every(({ content }) => content.startsWith(`${i} `))], [40, true]);
        await store.close();
      }
      warnings.delete('prepared_statements_lost');
      deepEqual([...warnings], []);
    });

    test('shows no space to a transaction that names none, whatever ran on the connection before', async () => {
      const under = await makeServerStore(postgres, { through: pooler.through });
      headOf(await under.store.commit(SPACE, [put()], ACTOR));
      for (let i = 0; i < 12; i++) {
        await Promise.all(['one', 'two', SPACE].map((space) => under.store.getRecords(space, ['x'])));
        const client = new pg.Client(pooler.through(postgres.url()));
        await client.connect();
        const { rows } = await client.query(
          `SELECT count(*)::int AS n, coalesce(current_setting('ltm.space', true), '') AS space FROM ${under.schema}.records`,
        );
        deepEqual(rows, [{ n: 0, space: '' }]);
        await client.end();
      }
      await under.destroy();
    });

    test('takes LISTEN and lets nothing through: the log says so, and what to do', async () => {
      const told = Promise.withResolvers<string>();
      const log = {
        ...SILENT,
        warn: (event: string, facts?: object) =>
          event === 'database_listener_deaf' && told.resolve(JSON.stringify(facts)),
      };
      const store = await openPostgresStore(pooler.through(postgres.url({ schema: 'deaf' })), { clock: CLOCK, log });
      const stop = store.watch(() => {});
      match(await told.promise, /db_listen_url/);
      stop();
      await store.close();
    });

    test('lets one of many that start at once make the tables', async () => {
      const url = pooler.through(postgres.url({ schema: 'started_together' }));
      const stores = await Promise.all(
        Array.from({ length: 6 }, () => openPostgresStore(url, { clock: CLOCK, log: SILENT })),
      );
      equal(headOf(await stores[0]!.commit(SPACE, [put()], ACTOR)), 1);
      for (const store of stores) await store.close();
    });
  });

  runStoreContract('PostgreSQL behind PgBouncer in transaction mode', () =>
    makeServerStore(postgres, { through: pooler.through }),
  );
}

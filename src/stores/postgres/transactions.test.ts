import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findPostgres, startPrivatePostgres } from '../../../test/postgres/private-postgres.ts';
import { ACTOR, put, SPACE } from '../../../test/stores/contract/sample-records.ts';
import { headOf } from '../../../test/stores/contract/store-under-test.ts';
import { CLOCK, SILENT } from '../../../test/stores/sqlite/fixtures/temp-store.ts';
import { openPostgresStore } from './open-postgres-store.ts';

const found = findPostgres();

test('whoever waits for a table that is being rewritten sees its rows afterwards, not an empty table', {
  skip: 'missing' in found ? found.missing : false,
}, async () => {
  const postgres = await startPrivatePostgres();
  const store = await openPostgresStore(postgres.url(), { clock: CLOCK, log: SILENT });
  const client = new pg.Client(postgres.url({ superuser: true }));
  try {
    await store.keepSecret('name', 'value');
    headOf(await store.commit(SPACE, [put()], ACTOR));
    await client.connect();
    // As `ltm server distribute` does it, which locks all tables at once, this one first.
    await client.query(`BEGIN; SET LOCAL search_path = ltm; SET LOCAL session_replication_role = replica;
      LOCK TABLE ltm_schema, server_secrets, feed_heads IN ACCESS EXCLUSIVE MODE;
      CREATE TEMPORARY TABLE kept AS TABLE server_secrets; TRUNCATE server_secrets; INSERT INTO server_secrets TABLE kept;
      CREATE TEMPORARY TABLE heads AS TABLE feed_heads; TRUNCATE feed_heads; INSERT INTO feed_heads TABLE heads`);
    const waiting = Promise.all([store.keepSecret('name', 'another'), store.head(SPACE), store.listSpaces()]);
    const countWaiting = async () => (await client.query('SELECT 1 FROM pg_locks WHERE NOT granted')).rowCount ?? 0;
    while ((await countWaiting()) < 3) await sleep(10);
    await client.query('COMMIT');
    deepEqual(await waiting, ['value', 1, [SPACE]]);
  } finally {
    await client.end();
    await store.close();
    await postgres.stop();
  }
});

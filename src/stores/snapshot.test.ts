import { deepEqual, equal, notEqual, rejects } from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeFolder, silentLog } from '../../test/open-test-engine.ts';
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from '../../test/postgres/private-postgres.ts';
import { ACTOR, put, SPACE } from '../../test/stores/contract/sample-records.ts';
import { type FullStore, headOf } from '../../test/stores/contract/store-under-test.ts';
import { CLOCK } from '../../test/stores/sqlite/fixtures/temp-store.ts';
import { openStore } from './open-store.ts';

const open = (location: string) => openStore(location, { clock: CLOCK, log: silentLog });

async function snapshotOf(store: FullStore) {
  const snapshot = await store.openSnapshot?.();
  notEqual(snapshot, null);
  return snapshot!;
}

function describeSnapshots(name: string, newPlace: () => string): void {
  test(`a snapshot of ${name} stays as it was while others write, and cannot be written to`, async () => {
    const store = await open(newPlace());
    const first = put({ content: 'written before' });
    headOf(await store.commit(SPACE, [first], ACTOR));
    const snapshot = await snapshotOf(store);
    headOf(await store.commit(SPACE, [put({ content: 'written after' })], ACTOR));
    headOf(await store.commit('other', [put()], ACTOR));
    headOf(await store.commit(SPACE, [{ op: 'purge', id: first.id }], ACTOR));
    deepEqual([await store.head(SPACE), await snapshot.head(SPACE)], [3, 1]);
    deepEqual(await snapshot.listSpaces(), [SPACE]);
    const [kept] = await snapshot.getRecords(SPACE, [first.id]);
    equal(kept?.content, 'written before');
    equal((await snapshot.listRecords(SPACE, {}, { limit: 9 })).total, 1);
    await rejects(snapshot.commit(SPACE, [put()], ACTOR), { code: 'storage_read_only' });
    await rejects(snapshot.takeLease('job', 'me', 2, 1), { code: 'storage_read_only' });
    await snapshot.close();
    deepEqual(await store.getRecords(SPACE, [first.id]), []);
    await store.close();
  });
}

const folder = makeFolder();
describeSnapshots('a file', () => join(folder, 'memory.db'));

const found = findPostgres();
describe('on PostgreSQL', { skip: 'missing' in found ? found.missing : false }, () => {
  let postgres: PrivatePostgres;
  before(async () => {
    postgres = await startPrivatePostgres();
  });
  after(() => postgres.stop());

  describeSnapshots('a database', () => postgres.url({ schema: 'one' }));
  describeSnapshots('a database with one connection', () => `${postgres.url({ schema: 'two' })}&pool_size=1`);

  test('fails rather than going on with another moment when its own is lost', async () => {
    const store = await open(postgres.url({ schema: 'three' }));
    headOf(await store.commit(SPACE, [put()], ACTOR));
    const snapshot = await snapshotOf(store);
    equal(await snapshot.head(SPACE), 1);
    await postgres.admin(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app' AND state = 'idle in transaction'",
    );
    await rejects(snapshot.head(SPACE), { code: 'busy' });
    await snapshot.close();
    equal(await store.head(SPACE), 1);
    await store.close();
  });
});

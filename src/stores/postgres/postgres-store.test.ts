import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { makeServerStore } from '../../../test/postgres/postgres-stores.ts';
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from '../../../test/postgres/private-postgres.ts';
import { SPACE } from '../contract/sample-records.ts';
import { runStoreContract } from '../store-contract.ts';

const found = findPostgres();
if ('missing' in found) {
  test("PostgreSQL keeps the store's contract", { skip: found.missing }, () => {});
} else {
  let postgres: PrivatePostgres;
  before(async () => {
    postgres = await startPrivatePostgres();
  });
  after(() => postgres.stop());
  test('PostgreSQL gives back a segment that takes several round trips to read', async () => {
    const under = await makeServerStore(postgres);
    const bytes = randomBytes(17_000_001);
    assert.equal(
      await under.store.replaceSegments(SPACE, [], [{ id: 'a', from: 0, to: 1, passages: 1, embedder: null, bytes }]),
      true,
    );
    const [segment] = await under.store.readSegments(SPACE, ['a']);
    assert.equal(bytes.compare(segment!.bytes), 0);
    await under.destroy();
  });
  runStoreContract('PostgreSQL', () => makeServerStore(postgres));
}

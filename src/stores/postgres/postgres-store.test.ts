import { after, before, test } from 'node:test';
import { makeServerStore } from '../../../test/postgres/postgres-stores.ts';
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from '../../../test/postgres/private-postgres.ts';
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
  runStoreContract('PostgreSQL', () => makeServerStore(postgres));
}

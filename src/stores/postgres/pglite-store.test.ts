import { after } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import { makePgliteStore } from '../../../test/postgres/postgres-stores.ts';
import { runStoreContract } from '../../../test/stores/store-contract.ts';

const pglite = new PGlite();
after(() => pglite.close());

runStoreContract('PostgreSQL (PGlite)', () => makePgliteStore(pglite));

import { runStoreContract } from '../store-contract.ts';
import { makeTempStore } from './fixtures/temp-store.ts';

runStoreContract('SQLite', makeTempStore);

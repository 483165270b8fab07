import { makeTempStore } from '../../../test/stores/sqlite/fixtures/temp-store.ts';
import { runStoreContract } from '../../../test/stores/store-contract.ts';

runStoreContract('SQLite', makeTempStore);

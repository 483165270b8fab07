import { type Accounts, OPERATOR } from '../auth/accounts.ts';
import { type Config, type ConfigSources, loadConfig } from './config.ts';
import { createLog } from './log.ts';
import { systemClock } from './system-clock.ts';

export type { NewTokenInput } from '../auth/accounts.ts';
export { OPERATOR } from '../auth/accounts.ts';

/** The people, teams and tokens of a database, for whoever can open it. */
export interface LocalAccounts {
  accounts: Accounts;
  asker: typeof OPERATOR;
  config: Config;
  close(): Promise<void>;
}

/** Opens the store alone: nothing is embedded or searched. */
export async function openLocalAccounts(sources: ConfigSources): Promise<LocalAccounts> {
  const config = loadConfig(sources);
  const log = createLog(config.origin.logLevel.source === 'default' ? 'error' : config.logLevel);
  const [{ openStore }, { createAccounts }] = await Promise.all([
    import('../stores/open-store.ts'),
    import('../auth/create-accounts.ts'),
  ]);
  const store = await openStore(config.db, { clock: systemClock, log });
  return {
    accounts: createAccounts({ identity: store, clock: systemClock, log }),
    asker: OPERATOR,
    config,
    close: () => store.close(),
  };
}

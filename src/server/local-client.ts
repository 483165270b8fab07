import { OPERATOR } from '../auth/accounts.ts';
import type { Caller } from '../model/caller.ts';
import { type ClientOf, createClient, runVerb } from '../verbs/client.ts';
import type { HostContext, VerbTable } from '../verbs/verb.ts';
import { engineSettings } from './config.ts';
import type { LocalSession } from './local-session.ts';
import { systemClock } from './system-clock.ts';

/** The verbs of a table on the database of this machine: whoever can open the file is its owner, and runs its accounts. */
export function createLocalClient<Table extends VerbTable>(
  table: Table,
  session: LocalSession,
  caller: Caller = session.caller,
): ClientOf<Table> {
  const { engine, identity, config, log } = session;
  const { memoryTypes, timeZone } = engineSettings(config);
  const context: Omit<HostContext, 'now'> = {
    engine,
    caller,
    timeZone,
    asker: OPERATOR,
    memoryTypes,
    url: engine.publicUrl(),
    address: 'local',
    accounts: async () =>
      (await import('../auth/create-accounts.ts')).createAccounts({ identity, clock: systemClock, log }),
    grants: async () => (await import('../auth/oauth/grants.ts')).createGrants(identity, systemClock),
  };
  return createClient(table, (verb, input) => runVerb(verb, { ...context, now: systemClock.now() }, input));
}

import { OPERATOR } from '../auth/accounts.ts';
import { FEATURES } from '../features/features.ts';
import type { VERBS } from '../features/verb-table.ts';
import { findVerb, loadVerbs, VERB_NAMES } from '../features/verbs.ts';
import { type Caller, type Door, ownerCaller } from '../model/caller.ts';
import { lateFunctions } from '../model/late.ts';
import { type Config, type ConfigSources, engineSettings, loadConfigOnce } from '../settings/config.ts';
import { createLog } from '../settings/log.ts';
import { systemClock } from '../settings/system-clock.ts';
import type { Client } from '../verbs/client.ts';
import { type ClientOf, createClient, createLateClient, runVerb } from '../verbs/client.ts';
import type { LocalSession } from '../verbs/local-session.ts';
import { type AnyVerb, type HostContext, type VerbTable, writesOf } from '../verbs/verb.ts';
import { type Addition, openEngineAndStore } from './open-engine.ts';
import { tendNear } from './services.ts';

const { createAccounts } = lateFunctions(() => import('../auth/create-accounts.ts'), 'createAccounts');
const { createGrants } = lateFunctions(() => import('../auth/oauth/grants.ts'), 'createGrants');

/** A single command logs errors alone, unless the person set a level: its answer is on the screen anyway. */
export function openLocalSession(sources: ConfigSources, door: Door, addition: Addition = {}): Promise<LocalSession> {
  return openSession(loadConfigOnce(sources), door, addition);
}

/** The same for a command, before which features do a little of what waits. */
export async function openForCommand(sources: ConfigSources, addition: Addition = {}): Promise<LocalSession> {
  const session = await openLocalSession(sources, 'cli', addition);
  await tendNear(addition.features ?? FEATURES, session);
  return session;
}

export async function openSession(config: Config, door: Door, addition: Addition = {}): Promise<LocalSession> {
  const log = createLog(config.origin.logLevel.source === 'default' ? 'error' : config.logLevel);
  const { engine, store } = await openEngineAndStore(config, log, { ...addition, isBrief: door === 'cli' });
  const owner: Caller = { ...ownerCaller(door), timeZone: config.timeZone ?? undefined };
  const callerNow = async (): Promise<Caller> => {
    const teams = await store.listMemberships(owner.userId);
    const roles = new Map([...owner.roles, ...teams.map(({ teamId, role }) => [teamId, role] as const)]);
    return teams.length === 0 ? owner : { ...owner, roles, spaces: [...roles.keys()] };
  };
  return { engine, identity: store, caller: await callerNow(), callerNow, config, log };
}

/** The verbs of a table on the database of this machine: whoever can open the file is its owner, and runs its accounts. */
export function createLocalClient<Table extends VerbTable>(
  table: Table,
  session: LocalSession,
  caller: Caller = session.caller,
): ClientOf<Table> {
  return createClient(table, callLocally(session, caller));
}

/** The product's own verbs and those that join them, each loaded when it is called: a command calls one. */
export async function createCommandClient(
  session: LocalSession,
  caller: Caller,
  { features }: Addition,
): Promise<Client> {
  const more = features === undefined ? {} : await loadVerbs(features);
  const find = async (name: string) => more[name] ?? findVerb(name);
  return createLateClient<typeof VERBS>([...VERB_NAMES, ...Object.keys(more)], find, callLocally(session, caller));
}

function callLocally(session: LocalSession, caller: Caller): (verb: AnyVerb, input: never) => Promise<unknown> {
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
    accounts: () => createAccounts({ identity, clock: systemClock, log }),
    grants: () => createGrants(identity, systemClock),
  };
  return async (verb, input) => {
    const outcome = await runVerb(verb, { ...context, now: systemClock.now() }, input);
    if (writesOf(verb)) session.afterWrite?.();
    return outcome;
  };
}

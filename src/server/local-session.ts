import type { AuthStore } from '../auth/ports.ts';
import type { Engine } from '../engine/engine.ts';
import type { Log } from '../engine/ports.ts';
import type { Caller, Door } from '../model/caller.ts';
import { type Config, type ConfigSources, loadConfig } from './config.ts';
import { createLog } from './log.ts';
import { type Addition, openEngineAndStore } from './open-engine.ts';
import { ownerCaller } from './owner-caller.ts';

export type { DeleteOutcome, ExamineReport, Health, ImportReport } from '../engine/engine.ts';

/** The database opened by and for the person at this machine. */
export interface LocalSession {
  engine: Engine;
  /** Closed with the engine. */
  identity: AuthStore;
  caller: Caller;
  /** The same person with the teams they are in by now: another program may have made or joined one. */
  callerNow(): Promise<Caller>;
  config: Config;
  log: Log;
}

/** A single command logs errors alone, unless the person set a level: its answer is on the screen anyway. */
export function openLocalSession(sources: ConfigSources, door: Door, addition: Addition = {}): Promise<LocalSession> {
  return openSession(loadConfig(sources), door, addition);
}

export async function openSession(config: Config, door: Door, addition: Addition = {}): Promise<LocalSession> {
  const level = config.origin.logLevel.source === 'default' ? 'error' : config.logLevel;
  const log = createLog(level);
  const { engine, store } = await openEngineAndStore(config, log, addition);
  const owner: Caller = { ...ownerCaller(door), timeZone: config.timeZone ?? undefined };
  const callerNow = (): Promise<Caller> => inTeams(owner, store);
  return { engine, identity: store, caller: await callerNow(), callerNow, config, log };
}

/** With the teams that the person has made or joined in this database. */
async function inTeams(owner: Caller, identity: AuthStore): Promise<Caller> {
  const teams = await identity.listMemberships(owner.userId);
  if (teams.length === 0) return owner;
  const roles = new Map([...owner.roles, ...teams.map(({ teamId, role }) => [teamId, role] as const)]);
  return { ...owner, roles, spaces: [...roles.keys()] };
}

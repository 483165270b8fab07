import type { Engine } from '../engine/engine.ts';
import type { Log } from '../engine/ports.ts';
import type { Caller, Door } from '../model/caller.ts';
import { type Config, type ConfigSources, loadConfig } from './config.ts';
import { createLog } from './log.ts';
import { openEngine } from './open-engine.ts';
import { ownerCaller } from './owner-caller.ts';

export type { DeleteOutcome, ExamineReport, Health, ImportReport } from '../engine/engine.ts';

/** The database opened by and for the person at this machine. */
export interface LocalSession {
  engine: Engine;
  caller: Caller;
  config: Config;
  log: Log;
}

/** A single command logs errors alone, unless the person set a level: its answer is on the screen anyway. */
export async function openLocalSession(sources: ConfigSources, door: Door): Promise<LocalSession> {
  const config = loadConfig(sources);
  const level = config.origin.logLevel.source === 'default' ? 'error' : config.logLevel;
  const log = createLog(level);
  const engine = await openEngine(config, log);
  const caller = ownerCaller(door);
  return { engine, caller: config.timeZone === null ? caller : { ...caller, timeZone: config.timeZone }, config, log };
}

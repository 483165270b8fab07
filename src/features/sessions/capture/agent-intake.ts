import { existsSync } from 'node:fs';
import type { Engine } from '../../../engine/engine.ts';
import { type Config, type ConfigSources, loadConfig } from '../../../settings/config.ts';
import { createLog } from '../../../settings/log.ts';
import type { Environment } from '../../../settings/settings.ts';
import { askSessionsServer } from './ask-sessions-server.ts';
import { type Deliver, type Intake, isSpoolFor, recordHere, startIntake, takeInBriefly } from './take-in.ts';

/** For as long as an agent is served from the database of this machine, which is opened when there is something to take in. */
export function takeInHere(sources: ConfigSources, open: () => Promise<{ engine: Engine }>): Intake | null {
  const config = loadConfig(sources);
  if (!isSpoolFor('database', config)) return null;
  const deliver: Deliver = async (events) => recordHere((await open()).engine)(events);
  return startIntake(config.spool, { deliver, log: createLog('error') });
}

/** For as long as an agent is served from a server: what was captured on this machine is sent there. */
export function sendToServer(config: Config, env: Environment): Intake | null {
  if (!isSpoolFor('server', config)) return null;
  return startIntake(config.spool, { deliver: recordThere(config, env), log: createLog('error') });
}

/** A command does not wait longer for it; what is under way goes on beside it. */
const LONGEST_MS = 500;

/** For a command that somebody waits for, before it asks the same server. */
export async function sendBriefly(sources: ConfigSources): Promise<void> {
  const config = loadConfig(sources);
  if (!existsSync(config.spool) || !isSpoolFor('server', config)) return;
  const deliver = recordThere(config, sources.env ?? {});
  const late = new Promise<void>((resolve) => setTimeout(resolve, LONGEST_MS).unref());
  await Promise.race([takeInBriefly(config.spool, { deliver, log: createLog('error') }), late]);
}

function recordThere({ server }: Config, env: Environment): Deliver {
  const { recordEvents } = askSessionsServer(env, server!);
  return (events) => recordEvents({ events });
}

import type { Config } from '../../../settings/config.ts';
import { createLog } from '../../../settings/log.ts';
import type { Environment } from '../../../settings/settings.ts';
import type { AgentService } from '../../host.ts';
import { askSessionsServer } from './ask-sessions-server.ts';
import { type Deliver, isSpoolFor, recordHere, startIntake, takeInBriefly } from './take-in.ts';

/** What hooks capture while an agent is served is taken in beside it. */
export const AGENT_INTAKE: AgentService = {
  near(config, open) {
    if (!isSpoolFor('database', config)) return null;
    const deliver: Deliver = async (events) => recordHere((await open()).engine)(events);
    return startIntake(config.places.spool, { deliver, log: createLog('error') });
  },
  far(config, env) {
    if (!isSpoolFor('server', config)) return null;
    return startIntake(config.places.spool, { deliver: recordThere(config, env), log: createLog('error') });
  },
};

/** A command does not wait longer for it; what is under way goes on beside it. */
const LONGEST_MS = 500;

/** For a command that somebody waits for, before it asks the same server. */
export async function sendBriefly(config: Config, env: Environment): Promise<void> {
  if (!isSpoolFor('server', config)) return;
  const deliver = recordThere(config, env);
  const late = new Promise<void>((resolve) => setTimeout(resolve, LONGEST_MS).unref());
  await Promise.race([takeInBriefly(config.places.spool, { deliver, log: createLog('error') }), late]);
}

function recordThere({ server }: Config, env: Environment): Deliver {
  const { recordEvents } = askSessionsServer(env, server!);
  return (events) => recordEvents({ events });
}

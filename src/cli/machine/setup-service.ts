import { existsSync } from 'node:fs';
import type { Place } from '../../agents/agent.ts';
import { loadConfigOnce } from '../../settings/config.ts';
import { usualLogFile } from '../../settings/log-file.ts';
import { dataFolder } from '../../settings/user-folders.ts';
import type { CommandContext } from '../command.ts';
import { runProgram } from '../run-program.ts';
import { describeService, type Service } from './service.ts';

export function serviceOf({ env, sources }: CommandContext, place: Place): Service {
  const logFile = loadConfigOnce(sources).logFile ?? usualLogFile(env);
  return describeService(place, { logFile, dataFolder: dataFolder(env) });
}

export interface ServiceOutcome {
  running: boolean;
  /** What went wrong, and what to do about it. */
  problem: string | null;
}

/** Its file is in place. Where the service manager cannot be reached from here, as over ssh or in a container, the person is told how. */
export function startService({ start, byHand }: Service, env: CommandContext['env']): ServiceOutcome {
  for (const words of start) {
    const { failure } = runProgram(words, env);
    if (failure !== null) return { running: false, problem: `${words.join(' ')}: ${failure}. By hand: ${byHand}` };
  }
  return { running: true, problem: null };
}

/** Before its file goes. A service that does not run any more need not be stopped. */
export function stopService({ agent, stop }: Service, place: Place): void {
  if (agent.signs(place).some((path) => existsSync(path))) for (const words of stop) runProgram(words, place.env);
}

/** null: nobody has installed it. */
export function isServiceRunning({ agent, check }: Service, place: Place): boolean | null {
  if (!agent.signs(place).some((path) => existsSync(path))) return null;
  return runProgram(check, place.env).failure === null;
}

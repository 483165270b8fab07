import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Place } from '../../agents/agent.ts';
import { dataFolder } from '../../settings/user-folders.ts';
import type { CommandContext } from '../command.ts';
import type { Installed } from './find-program.ts';

/** Where settings are, for agents that start a server without the shell's variables. */
const CARRIED = ['LTM_DB', 'LTM_CONFIG', 'LTM_CONFIG_DIR', 'LTM_SPOOL', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME'];

export function placeOf({ env }: Pick<CommandContext, 'env'>): Place {
  return { env, home: env.HOME || env.USERPROFILE || homedir(), platform: process.platform };
}

export function installedAt({ env }: Pick<CommandContext, 'env'>): Installed {
  return { node: process.execPath, script: realpathSync(process.argv[1]!), env, platform: process.platform };
}

/** The journal and the backups of set-up. */
export function keepingFolder({ env }: Pick<CommandContext, 'env'>): string {
  return join(dataFolder(env), 'setup');
}

export function carriedVariables({ env }: Pick<CommandContext, 'env'>): Record<string, string> {
  return Object.fromEntries(CARRIED.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}

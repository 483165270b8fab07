import { homedir } from 'node:os';
import { join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where this person's sign-ins and client settings are: `$LTM_CONFIG_DIR`, else `$XDG_CONFIG_HOME/ltm`, else `~/.config/ltm`. */
export function clientFolder(env: Environment): string {
  if (env.LTM_CONFIG_DIR) return env.LTM_CONFIG_DIR;
  if (env.XDG_CONFIG_HOME) return join(env.XDG_CONFIG_HOME, 'ltm');
  return join(env.HOME || env.USERPROFILE || homedir(), '.config', 'ltm');
}

import { join } from 'node:path';
import type { Environment } from './settings.ts';

/** Loads nothing else: `ltm mcp` asks for it before its first answer. */
export function configFilePath(env: Environment): string {
  return env.LTM_CONFIG || join(configFolder(env), 'config.json');
}

/** Where this person's sign-ins and client settings are: `$LTM_CONFIG_DIR`, else `$XDG_CONFIG_HOME/ltm`, else `~/.config/ltm`. */
export function clientFolder(env: Environment): string {
  if (env.LTM_CONFIG_DIR) return env.LTM_CONFIG_DIR;
  if (env.XDG_CONFIG_HOME) return join(env.XDG_CONFIG_HOME, 'ltm');
  return join(homeFolder(env), '.config', 'ltm');
}

/** XDG folders wherever they are named; otherwise what the platform's programs use. */
export function dataFolder(env: Environment, platform: NodeJS.Platform = process.platform): string {
  return platformFolder(env, platform, {
    xdg: env.XDG_DATA_HOME,
    unix: ['.local', 'share'],
    windows: env.LOCALAPPDATA,
  });
}

function configFolder(env: Environment, platform: NodeJS.Platform = process.platform): string {
  if (env.LTM_CONFIG_DIR) return env.LTM_CONFIG_DIR;
  return platformFolder(env, platform, { xdg: env.XDG_CONFIG_HOME, unix: ['.config'], windows: env.APPDATA });
}

function platformFolder(
  env: Environment,
  platform: NodeJS.Platform,
  where: { xdg?: string; unix: string[]; windows?: string },
): string {
  const home = homeFolder(env);
  if (where.xdg) return join(where.xdg, 'ltm');
  if (platform === 'win32') return join(where.windows || join(home, 'AppData', 'Local'), 'ltm');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'ltm');
  return join(home, ...where.unix, 'ltm');
}

function homeFolder(env: Environment): string {
  return env.HOME || env.USERPROFILE || process.getBuiltinModule('node:os').homedir();
}

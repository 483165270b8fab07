import { join } from 'node:path';
import type { Environment } from './settings.ts';

/** Loads nothing else: `ltm mcp` asks for it before its first answer. */
export function configFilePath(env: Environment): string {
  return env.LTM_CONFIG || join(configFolder(env), 'config.json');
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
  const home = env.HOME || env.USERPROFILE || process.getBuiltinModule('node:os').homedir();
  if (where.xdg) return join(where.xdg, 'ltm');
  if (platform === 'win32') return join(where.windows || join(home, 'AppData', 'Local'), 'ltm');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'ltm');
  return join(home, ...where.unix, 'ltm');
}

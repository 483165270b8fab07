import { join } from 'node:path';
import type { Place } from './agent.ts';

/** Where programs with windows keep their settings. */
export function configIn({ env, home, platform }: Place, ...names: string[]): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', ...names);
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), ...names);
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), ...names);
}

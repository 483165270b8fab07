import { join } from 'node:path';
import type { Agent, Place } from '../agent.ts';
import { stdio } from '../agent-entries.ts';
import { configIn } from '../config-folder.ts';
import { editJsonServer } from '../edits/file-edit.ts';

function zedFolder(place: Place): string {
  const { env, home, platform } = place;
  if (platform === 'win32') return configIn(place, 'Zed');
  return platform === 'darwin'
    ? join(home, '.config', 'zed')
    : join(env.XDG_CONFIG_HOME || join(home, '.config'), 'zed');
}

export const zed: Agent = {
  name: 'zed',
  title: 'Zed',
  program: 'zed',
  isDesktop: true,
  signs: (place) => [zedFolder(place)],
  hasHooks: false,
  edits: (place, wiring) => [
    editJsonServer(join(zedFolder(place), 'settings.json'), ['context_servers'], { ...stdio(wiring) }),
  ],
  wants: [],
};

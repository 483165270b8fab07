import { join } from 'node:path';
import type { Agent, Place } from '../agent.ts';
import { mcpWords } from '../agent-entries.ts';
import { configIn } from '../config-folder.ts';
import { editYamlServer } from '../edits/file-edit.ts';

function gooseFile(place: Place): string {
  const { env, home, platform } = place;
  if (platform === 'win32') return configIn(place, 'Block', 'goose', 'config', 'config.yaml');
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'goose', 'config.yaml');
}

export const goose: Agent = {
  name: 'goose',
  title: 'Goose',
  program: 'goose',
  signs: (place) => [gooseFile(place)],
  hasHooks: false,
  edits: (place, wiring) => [
    editYamlServer(gooseFile(place), 'extensions', {
      enabled: true,
      type: 'stdio',
      name: 'ltm',
      description: 'Long-term memory',
      cmd: wiring.program.command,
      args: mcpWords(wiring),
      envs: wiring.env,
      timeout: 300,
    }),
  ],
  wants: [],
};

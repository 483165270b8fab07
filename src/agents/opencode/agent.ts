import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent, Place } from '../agent.ts';
import { hookWords, mcpWords } from '../agent-entries.ts';
import { dropEarlierItems, editJsonServer, ownFile } from '../edits/file-edit.ts';
import { opencodeHooks } from './hooks.ts';
import { opencodeTranscripts } from './list-sessions.ts';
import { renderOpenCodePlugin } from './plugin.ts';

export function openCodeFolder({ env, home }: Place): string {
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode');
}

function openCodeFile(place: Place): string {
  const names = ['opencode.jsonc', 'opencode.json', 'config.json'];
  const folder = openCodeFolder(place);
  return join(folder, names.find((name) => existsSync(join(folder, name))) ?? 'opencode.json');
}

export const opencode: Agent = {
  name: 'opencode',
  title: 'OpenCode',
  program: 'opencode',
  signs: (place) => [openCodeFolder(place)],
  hasHooks: true,
  edits: (place, wiring) => {
    const path = openCodeFile(place);
    const environment = Object.keys(wiring.env).length === 0 ? {} : { environment: wiring.env };
    return [
      dropEarlierItems(path, ['plugin', 'instructions']),
      editJsonServer(path, ['mcp'], {
        type: 'local',
        command: [wiring.program.command, ...mcpWords(wiring)],
        enabled: true,
        ...environment,
      }),
      ...(wiring.hook === null
        ? []
        : [
            ownFile(
              join(openCodeFolder(place), 'plugin', 'ltm.js'),
              renderOpenCodePlugin({ ...wiring.hook, args: hookWords(wiring.hook, wiring, 'opencode') }),
            ),
          ]),
    ];
  },
  wants: [],
  hooks: opencodeHooks,
  transcripts: opencodeTranscripts,
};

import { join } from 'node:path';
import type { Agent, Place } from '../agent.ts';
import { hookEdits, stdio } from '../agent-entries.ts';
import { editJsonHooks, editJsonServer } from '../edits/file-edit.ts';
import { flatHooks, HOOK_SECONDS } from '../hook-entries.ts';
import { copilotHooks } from './hooks.ts';

function copilotFolder({ env, home }: Place): string {
  return env.COPILOT_HOME || join(home, '.copilot');
}

export const copilot: Agent = {
  name: 'copilot-cli',
  title: 'Copilot CLI',
  program: 'copilot',
  signs: (place) => [join(copilotFolder(place), 'config.json'), join(copilotFolder(place), 'mcp-config.json')],
  hasHooks: true,
  edits: (place, wiring) => [
    editJsonServer(join(copilotFolder(place), 'mcp-config.json'), ['mcpServers'], {
      type: 'local',
      ...stdio(wiring),
      tools: ['*'],
    }),
    ...hookEdits(wiring, 'copilot', (line) =>
      editJsonHooks(
        join(copilotFolder(place), 'hooks', 'ltm.json'),
        flatHooks(['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop', 'SessionEnd'], {
          type: 'command',
          command: line,
          timeoutSec: HOOK_SECONDS,
        }),
        { version: 1 },
      ),
    ),
  ],
  wants: [],
  hooks: copilotHooks,
};

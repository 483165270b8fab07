import { join } from 'node:path';
import type { Agent, Place } from '../agent.ts';
import { stdio } from '../agent-entries.ts';
import { configIn } from '../config-folder.ts';
import { editJsonServer } from '../edits/file-edit.ts';
import { vscodeHooks } from './hooks.ts';

export function codeFolder(place: Place): string {
  return configIn(place, 'Code', 'User');
}

export const vscode: Agent = {
  name: 'vscode',
  title: 'VS Code',
  program: 'code',
  isDesktop: true,
  signs: (place) => [codeFolder(place)],
  hasHooks: false,
  edits: (place, wiring) => [
    editJsonServer(join(codeFolder(place), 'mcp.json'), ['servers'], { type: 'stdio', ...stdio(wiring) }),
  ],
  wants: [
    'Start ltm once in VS Code: command "MCP: List Servers".',
    'VS Code runs the hooks of ~/.claude/settings.json and ~/.copilot/hooks, so its sessions are captured where Claude Code or Copilot CLI is set up.',
  ],
  hooks: vscodeHooks,
};

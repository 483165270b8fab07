import { join } from 'node:path';
import type { Agent } from '../agent.ts';
import { stdio } from '../agent-entries.ts';
import { configIn } from '../config-folder.ts';
import { editJsonServer } from '../edits/file-edit.ts';

export const claudeDesktop: Agent = {
  name: 'claude-desktop',
  title: 'Claude Desktop',
  isDesktop: true,
  signs: (place) => [configIn(place, 'Claude')],
  hasHooks: false,
  edits: (place, wiring) => [
    editJsonServer(join(configIn(place, 'Claude'), 'claude_desktop_config.json'), ['mcpServers'], stdio(wiring)),
  ],
  wants: ['Quit Claude Desktop and start it again.'],
};

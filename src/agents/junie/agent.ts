import { join } from 'node:path';
import type { Agent } from '../agent.ts';
import { stdio } from '../agent-entries.ts';
import { editJsonServer } from '../edits/file-edit.ts';

export const junie: Agent = {
  name: 'junie',
  title: 'JetBrains Junie',
  isDesktop: true,
  signs: (place) => [join(place.home, '.junie')],
  hasHooks: false,
  edits: (place, wiring) => [
    editJsonServer(join(place.home, '.junie', 'mcp', 'mcp.json'), ['mcpServers'], stdio(wiring)),
  ],
  wants: [
    'JetBrains AI Assistant has no such file: Settings → Tools → AI Assistant → MCP → Add, and paste the entry of docs/connect.md.',
  ],
};

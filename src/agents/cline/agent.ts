import { join } from 'node:path';
import type { Agent, Place } from '../agent.ts';
import { stdio } from '../agent-entries.ts';
import { editJsonServer } from '../edits/file-edit.ts';
import { codeFolder } from '../vscode/agent.ts';

function clineFolder(place: Place): string {
  return join(codeFolder(place), 'globalStorage', 'saoudrizwan.claude-dev');
}

export const cline: Agent = {
  name: 'cline',
  title: 'Cline',
  isDesktop: true,
  signs: (place) => [clineFolder(place)],
  hasHooks: false,
  edits: (place, wiring) => [
    editJsonServer(join(clineFolder(place), 'settings', 'cline_mcp_settings.json'), ['mcpServers'], stdio(wiring)),
  ],
  wants: [],
};

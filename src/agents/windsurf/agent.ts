import { join } from 'node:path';
import type { Agent } from '../agent.ts';
import { hookEdits, stdio } from '../agent-entries.ts';
import { editJsonHooks, editJsonServer } from '../edits/file-edit.ts';
import { flatHooks } from '../hook-entries.ts';
import { windsurfHooks } from './hooks.ts';

export const windsurf: Agent = {
  name: 'windsurf',
  title: 'Windsurf',
  program: 'windsurf',
  isDesktop: true,
  signs: (place) => [join(place.home, '.codeium', 'windsurf')],
  hasHooks: true,
  edits: (place, wiring) => [
    editJsonServer(join(place.home, '.codeium', 'windsurf', 'mcp_config.json'), ['mcpServers'], stdio(wiring)),
    ...hookEdits(wiring, 'windsurf', (line) =>
      editJsonHooks(
        join(place.home, '.codeium', 'windsurf', 'hooks.json'),
        flatHooks(
          ['pre_user_prompt', 'post_write_code', 'post_run_command', 'post_mcp_tool_use', 'post_cascade_response'],
          { command: line, show_output: false },
        ),
      ),
    ),
  ],
  wants: ['Press the refresh button in Windsurf: Settings → Cascade → MCP servers.'],
  hooks: windsurfHooks,
};

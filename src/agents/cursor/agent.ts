import { join } from 'node:path';
import type { Agent } from '../agent.ts';
import { hookEdits, stdio } from '../agent-entries.ts';
import { editJsonHooks, editJsonServer } from '../edits/file-edit.ts';
import { flatHooks, HOOK_SECONDS } from '../hook-entries.ts';
import { cursorHooks } from './hooks.ts';
import { cursorTranscripts } from './read-export.ts';

export const cursor: Agent = {
  name: 'cursor',
  title: 'Cursor',
  program: 'cursor',
  isDesktop: true,
  signs: (place) => [join(place.home, '.cursor')],
  hasHooks: true,
  edits: (place, wiring) => [
    editJsonServer(join(place.home, '.cursor', 'mcp.json'), ['mcpServers'], stdio(wiring)),
    ...hookEdits(wiring, 'cursor', (line) =>
      editJsonHooks(
        join(place.home, '.cursor', 'hooks.json'),
        flatHooks(
          [
            'sessionStart',
            'beforeSubmitPrompt',
            'postToolUse',
            'postToolUseFailure',
            'afterAgentResponse',
            'preCompact',
            'stop',
            'sessionEnd',
          ],
          { command: line, timeout: HOOK_SECONDS },
        ),
        { version: 1 },
      ),
    ),
  ],
  wants: ['Switch ltm on in Cursor: Settings → Tools & MCP.'],
  hooks: cursorHooks,
  transcripts: cursorTranscripts,
};

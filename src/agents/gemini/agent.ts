import { join } from 'node:path';
import type { Agent } from '../agent.ts';
import { hookEdits, stdio } from '../agent-entries.ts';
import { editJsonHooks, editJsonServer } from '../edits/file-edit.ts';
import { HOOK_SECONDS, matchedHooks } from '../hook-entries.ts';
import { geminiHooks } from './hooks.ts';
import { geminiTranscripts } from './read-transcript.ts';

export const gemini: Agent = {
  name: 'gemini',
  title: 'Gemini CLI',
  program: 'gemini',
  signs: (place) => [join(place.home, '.gemini', 'settings.json'), join(place.home, '.gemini', 'projects.json')],
  hasHooks: true,
  edits: (place, wiring) => {
    const path = join(place.home, '.gemini', 'settings.json');
    return [
      editJsonServer(path, ['mcpServers'], stdio(wiring)),
      ...hookEdits(wiring, 'gemini', (line) =>
        editJsonHooks(
          path,
          matchedHooks(
            ['SessionStart', 'BeforeAgent', 'AfterTool', 'AfterAgent', 'PreCompress', 'SessionEnd'],
            // In milliseconds here.
            { name: 'ltm', type: 'command', command: line, timeout: HOOK_SECONDS * 1000 },
            { matcher: '.*', matches: /Tool/ },
          ),
        ),
      ),
    ];
  },
  wants: ['Gemini CLI uses servers only in folders you trust: enter /permissions in a folder to trust it.'],
  hooks: geminiHooks,
  transcripts: geminiTranscripts,
};

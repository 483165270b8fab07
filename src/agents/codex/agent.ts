import { join } from 'node:path';
import type { Agent, Place } from '../agent.ts';
import { hookEdits, tomlStdio } from '../agent-entries.ts';
import { editJsonHooks, editTomlServer } from '../edits/file-edit.ts';
import { HOOK_SECONDS, matchedHooks } from '../hook-entries.ts';
import { codexHooks } from './hooks.ts';
import { codexTranscripts } from './read-transcript.ts';

export function codexFolder({ env, home }: Place): string {
  return env.CODEX_HOME || join(home, '.codex');
}

export const codex: Agent = {
  name: 'codex',
  title: 'Codex CLI',
  program: 'codex',
  signs: (place) => [codexFolder(place)],
  hasHooks: true,
  edits: (place, wiring) => [
    editTomlServer(join(codexFolder(place), 'config.toml'), tomlStdio(wiring)),
    ...hookEdits(wiring, 'codex', (line) =>
      editJsonHooks(
        join(codexFolder(place), 'hooks.json'),
        matchedHooks(
          ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop', 'PreCompact', 'PostCompact', 'SessionEnd'],
          { type: 'command', command: line, timeout: HOOK_SECONDS },
          { matcher: '.*', matches: /ToolUse/ },
        ),
      ),
    ),
  ],
  wants: [
    'Codex skips new hooks without a word until you trust them: run `codex`, enter /hooks and trust those of ltm.',
    'Codex asks before every tool that writes. To allow them all, add default_tools_approval_mode = "approve" below [mcp_servers.ltm] in config.toml.',
  ],
  hooks: codexHooks,
  transcripts: codexTranscripts,
};

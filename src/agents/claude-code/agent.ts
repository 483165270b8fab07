import { join } from 'node:path';
import type { Agent, Place } from '../agent.ts';
import { hookEdits, stdio } from '../agent-entries.ts';
import { editJsonHooks, editJsonServer } from '../edits/file-edit.ts';
import { HOOK_SECONDS, matchedHooks } from '../hook-entries.ts';
import { claudeCodeHooks } from './hooks.ts';
import { claudeCodeTranscripts } from './read-transcript.ts';

export function claudeFolder({ env, home }: Place): string {
  return env.CLAUDE_CONFIG_DIR || join(home, '.claude');
}

/** Holds the state of Claude Code too, which writes it again and again: one key of it is ours. */
export function claudeState({ env, home }: Place): string {
  return join(env.CLAUDE_CONFIG_DIR || home, '.claude.json');
}

export const claudeCode: Agent = {
  name: 'claude-code',
  title: 'Claude Code',
  program: 'claude',
  signs: (place) => [claudeFolder(place), claudeState(place)],
  hasHooks: true,
  edits: (place, wiring) => [
    editJsonServer(claudeState(place), ['mcpServers'], { type: 'stdio', ...stdio(wiring) }),
    ...hookEdits(wiring, 'claude-code', (line) =>
      editJsonHooks(
        join(claudeFolder(place), 'settings.json'),
        matchedHooks(
          [
            'SessionStart',
            'UserPromptSubmit',
            'PostToolUse',
            'PostToolUseFailure',
            'Stop',
            'PreCompact',
            'PostCompact',
            'SessionEnd',
          ],
          { type: 'command', command: line, timeout: HOOK_SECONDS },
          { matcher: '*', matches: /ToolUse/ },
        ),
      ),
    ),
  ],
  wants: ['Restart Claude Code, or open a new session.'],
  hooks: claudeCodeHooks,
  transcripts: claudeCodeTranscripts,
};

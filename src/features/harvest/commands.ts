import { TRANSCRIPT_AGENTS } from '../../agents/agent-transcript.ts';
import type { CommandLine } from '../../cli/command.ts';
import { TEAM } from '../../verbs/team-flag.ts';
import { STATEMENT_TYPES } from './statements/statement.ts';

export const COMMANDS: readonly CommandLine[] = [
  {
    name: 'harvest',
    summary: 'Find decisions, bugs, conventions and learnings in transcripts of agents',
    usage: '[FILE|FOLDER…]',
    about:
      'Reads the transcripts that Claude Code, Codex, Gemini CLI and OpenCode keep on this machine, or the files given (also chats that Cursor exports as Markdown). A folder is that of a project, or one that holds transcripts. Without either, the newest sessions of the project in this directory. Shows what it finds and stores nothing; --yes stores it, and reading the same session again stores nothing twice. Memories from transcripts have the trust tier agent at most. See docs/harvest.md.',
    flags: [
      {
        name: 'agent',
        value: 'NAME',
        many: true,
        choices: TRANSCRIPT_AGENTS,
        description: 'Only transcripts of this agent; may be repeated.',
      },
      { name: 'sessions', value: 'N', description: 'How many of the newest sessions to read (default: 5).' },
      {
        name: 'session',
        value: 'ID',
        many: true,
        description: 'Only this session, by its id or a part of it; may be repeated.',
      },
      { name: 'all-projects', description: 'Sessions of all projects, not only of the one in this directory.' },
      {
        name: 'type',
        short: 't',
        value: 'TYPE',
        many: true,
        choices: STATEMENT_TYPES,
        description: `Only this type: ${STATEMENT_TYPES.join(', ')}; may be repeated.`,
      },
      { name: 'min-confidence', value: 'X', description: 'Leave out what is less certain (0 to 1, default: 0.6).' },
      { name: 'yes', short: 'y', description: 'Store what is found.' },
      TEAM,
    ],
    examples: [
      'ltm harvest',
      'ltm harvest --sessions 20 --type decision --yes',
      'ltm harvest ~/exports/cursor-chat.md',
    ],
    load: async () => (await import('./terminal/harvest.ts')).harvest,
  },
];

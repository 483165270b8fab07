import type { CommandLine } from '../../cli/command.ts';
import { commandOf } from '../../cli/verb-command.ts';
import { getContext } from './verbs/get-context.ts';
import { getTimeline } from './verbs/get-timeline.ts';
import { listSessions } from './verbs/list-sessions.ts';
import { listObservations } from './verbs/read-observations.ts';

export const COMMANDS: readonly CommandLine[] = [
  commandOf(getTimeline, async () => (await import('./terminal/timeline.ts')).timeline),
  commandOf(listSessions, async () => (await import('./terminal/sessions.ts')).sessions),
  commandOf(listObservations, async () => (await import('./terminal/sessions.ts')).observations),
  commandOf(getContext, async () => (await import('./terminal/context.ts')).context),
  {
    name: 'privacy',
    summary: 'Show what would not be captured of a file, and why',
    usage: 'test FILE',
    about:
      'Screens the file as if a tool of an agent had given it back, and names each secret, private span and custom pattern by line and rule, never by value. FILE may be the JSON that a hook gets; - reads stdin. See docs/privacy.md.',
    examples: ['ltm privacy test build.log', 'ltm privacy test - --json'],
    load: async () => (await import('./terminal/privacy.ts')).privacy,
  },
  {
    name: 'hook',
    summary: 'Capture an event of an agent from stdin',
    usage: '[AGENT] [EVENT]',
    about:
      'Agents run this, or the faster `ltm-hook`, which does the same: it reads the JSON of a hook, screens it, adds it to the spool and ends, always with exit code 0. At the start of a session and at a prompt it prints the context. `ltm setup` registers it. See docs/sessions.md.',
    flags: [{ name: 'agent', value: 'NAME', description: 'The agent, as AGENT.' }],
    examples: ['ltm-hook --agent claude-code', 'ltm hook copilot sessionStart'],
    load: async () => (await import('./terminal/hook.ts')).hook,
  },
];

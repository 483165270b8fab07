import { getContext } from '../../verbs/sessions/get-context.ts';
import { getTimeline } from '../../verbs/sessions/get-timeline.ts';
import { listSessions } from '../../verbs/sessions/list-sessions.ts';
import { listSpend } from '../../verbs/sessions/list-spend.ts';
import { listObservations } from '../../verbs/sessions/read-observations.ts';
import type { CommandLine } from '../command.ts';
import { commandOf } from '../verb-command.ts';

/** What happens in sessions of agents, and what they are given. */
export const SESSION_COMMANDS: readonly CommandLine[] = [
  commandOf(listSpend, async () => (await import('../commands/spend.ts')).spend),
  commandOf(getTimeline, async () => (await import('../commands/timeline.ts')).timeline),
  commandOf(listSessions, async () => (await import('../commands/sessions.ts')).sessions),
  commandOf(listObservations, async () => (await import('../commands/sessions.ts')).observations),
  commandOf(getContext, async () => (await import('../commands/context.ts')).context),
];

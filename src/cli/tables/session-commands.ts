import { getContext } from '../../verbs/sessions/get-context.ts';
import type { CommandLine } from '../command.ts';
import { commandOf } from '../verb-command.ts';

/** What happens in sessions of agents, and what they are given. */
export const SESSION_COMMANDS: readonly CommandLine[] = [
  commandOf(getContext, async () => (await import('../commands/context.ts')).context),
];

import { undoChanges } from '../../verbs/history/undo-changes.ts';
import type { CommandLine } from '../command.ts';
import { commandOf } from '../verb-command.ts';

/** What was, and how to get back there. */
export const HISTORY_COMMANDS: readonly CommandLine[] = [
  commandOf(undoChanges, async () => (await import('../commands/history.ts')).undo),
];

import { diffMemories } from '../../verbs/history/diff-memories.ts';
import { listConflicts, resolveConflict } from '../../verbs/history/list-conflicts.ts';
import { undoChanges } from '../../verbs/history/undo-changes.ts';
import type { CommandLine } from '../command.ts';
import { commandOf } from '../verb-command.ts';

/** What was, and how to get back there. */
export const HISTORY_COMMANDS: readonly CommandLine[] = [
  commandOf(undoChanges, async () => (await import('../commands/history.ts')).undo),
  commandOf(listConflicts, async () => (await import('../commands/history.ts')).conflicts),
  commandOf(resolveConflict, async () => (await import('../commands/history.ts')).resolve),
  commandOf(diffMemories, async () => (await import('../commands/history.ts')).changes),
];

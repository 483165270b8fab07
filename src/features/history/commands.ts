import type { CommandLine } from '../../cli/command.ts';
import { commandOf } from '../../cli/verb-command.ts';
import { diffMemories } from '../../verbs/history/diff-memories.ts';
import { undoChanges } from '../../verbs/history/undo-changes.ts';

export const COMMANDS: readonly CommandLine[] = [
  commandOf(undoChanges, async () => (await import('../../cli/commands/history.ts')).undo),
  commandOf(diffMemories, async () => (await import('../../cli/commands/history.ts')).changes),
];

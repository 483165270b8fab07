import type { CommandLine } from '../../cli/command.ts';
import { commandOf } from '../../cli/verb-command.ts';
import { diffMemories } from './verbs/diff-memories.ts';
import { undoChanges } from './verbs/undo-changes.ts';

export const COMMANDS: readonly CommandLine[] = [
  commandOf(undoChanges, async () => (await import('./terminal/history.ts')).undo),
  commandOf(diffMemories, async () => (await import('./terminal/history.ts')).changes),
];

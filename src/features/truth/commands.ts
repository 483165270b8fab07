import type { CommandLine } from '../../cli/command.ts';
import { commandOf } from '../../cli/verb-command.ts';
import { listConflicts, resolveConflict } from './verbs/list-conflicts.ts';

export const COMMANDS: readonly CommandLine[] = [
  commandOf(listConflicts, async () => (await import('./terminal/conflicts.ts')).conflicts),
  commandOf(resolveConflict, async () => (await import('./terminal/conflicts.ts')).resolve),
];

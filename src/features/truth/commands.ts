import type { CommandLine } from '../../cli/command.ts';
import { commandOf } from '../../cli/verb-command.ts';
import { listConflicts, resolveConflict } from './verbs/list-conflicts.ts';

export const COMMANDS: readonly CommandLine[] = [
  commandOf(listConflicts, async () => (await import('../history/terminal/history.ts')).conflicts),
  commandOf(resolveConflict, async () => (await import('../history/terminal/history.ts')).resolve),
];

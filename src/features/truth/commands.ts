import type { CommandLine } from '../../cli/command.ts';
import { commandOf } from '../../cli/verb-command.ts';
import { listConflicts, resolveConflict } from '../../verbs/history/list-conflicts.ts';

export const COMMANDS: readonly CommandLine[] = [
  commandOf(listConflicts, async () => (await import('../../cli/commands/history.ts')).conflicts),
  commandOf(resolveConflict, async () => (await import('../../cli/commands/history.ts')).resolve),
];

import type { CommandLine } from '../../cli/command.ts';
import { commandOf } from '../../cli/verb-command.ts';
import { listSpend } from './verbs/list-spend.ts';

export const COMMANDS: readonly CommandLine[] = [
  commandOf(listSpend, async () => (await import('./terminal/spend.ts')).spend),
];

import type { CommandLine } from '../../cli/command.ts';
import { commandOf } from '../../cli/verb-command.ts';
import { exportRecords, importRecords } from './verbs/exchange-records.ts';

export const COMMANDS: readonly CommandLine[] = [
  commandOf(exportRecords, async () => (await import('./terminal/exchange-records.ts')).exportRecords),
  commandOf(importRecords, async () => (await import('./terminal/exchange-records.ts')).importRecords),
];

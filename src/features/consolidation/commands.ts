import type { CommandLine } from '../../cli/command.ts';
import { commandOf } from '../../cli/verb-command.ts';
import { archiveMemories, cleanUp, listInsights, maintain, mergeMemories } from './verbs/clean-up.ts';
import { consolidate } from './verbs/consolidate.ts';

export const COMMANDS: readonly CommandLine[] = [
  commandOf(consolidate, async () => (await import('./terminal/consolidate.ts')).consolidate),
  commandOf(cleanUp, async () => (await import('./terminal/clean-up.ts')).cleanUp),
  commandOf(mergeMemories, async () => (await import('./terminal/clean-up.ts')).merge),
  commandOf(archiveMemories, async () => (await import('./terminal/clean-up.ts')).archive),
  commandOf(maintain, async () => (await import('./terminal/clean-up.ts')).maintain),
  commandOf(listInsights, async () => (await import('./terminal/clean-up.ts')).insights),
];

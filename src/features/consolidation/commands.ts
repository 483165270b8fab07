import type { CommandLine } from '../../cli/command.ts';
import { commandOf } from '../../cli/verb-command.ts';
import { archiveMemories, cleanUp, listInsights, maintain, mergeMemories } from '../../verbs/consolidation/clean-up.ts';
import { consolidate } from '../../verbs/consolidation/consolidate.ts';

export const COMMANDS: readonly CommandLine[] = [
  commandOf(consolidate, async () => (await import('../../cli/commands/consolidate.ts')).consolidate),
  commandOf(cleanUp, async () => (await import('../../cli/commands/clean-up.ts')).cleanUp),
  commandOf(mergeMemories, async () => (await import('../../cli/commands/clean-up.ts')).merge),
  commandOf(archiveMemories, async () => (await import('../../cli/commands/clean-up.ts')).archive),
  commandOf(maintain, async () => (await import('../../cli/commands/clean-up.ts')).maintain),
  commandOf(listInsights, async () => (await import('../../cli/commands/clean-up.ts')).insights),
];

import { archiveMemories, cleanUp, listInsights, maintain, mergeMemories } from '../../verbs/consolidation/clean-up.ts';
import { consolidate } from '../../verbs/consolidation/consolidate.ts';
import { analyzeQuality } from '../../verbs/quality/explain-quality.ts';
import { rateMemory } from '../../verbs/quality/rate-memory.ts';
import type { CommandLine } from '../command.ts';
import { commandOf } from '../verb-command.ts';

/** What memories are worth, and what becomes of them with time. */
export const AGEING_COMMANDS: readonly CommandLine[] = [
  commandOf(rateMemory, async () => (await import('../commands/quality.ts')).rate),
  commandOf(analyzeQuality, async () => (await import('../commands/quality.ts')).quality),
  commandOf(consolidate, async () => (await import('../commands/consolidate.ts')).consolidate),
  commandOf(cleanUp, async () => (await import('../commands/clean-up.ts')).cleanUp),
  commandOf(mergeMemories, async () => (await import('../commands/clean-up.ts')).merge),
  commandOf(archiveMemories, async () => (await import('../commands/clean-up.ts')).archive),
  commandOf(maintain, async () => (await import('../commands/clean-up.ts')).maintain),
  commandOf(listInsights, async () => (await import('../commands/clean-up.ts')).insights),
];

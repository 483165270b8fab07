import { analyzeQuality } from '../../verbs/quality/explain-quality.ts';
import { rateMemory } from '../../verbs/quality/rate-memory.ts';
import type { CommandLine } from '../command.ts';
import { commandOf } from '../verb-command.ts';

/** What memories are worth, and what becomes of them with time. */
export const AGEING_COMMANDS: readonly CommandLine[] = [
  commandOf(rateMemory, async () => (await import('../commands/quality.ts')).rate),
  commandOf(analyzeQuality, async () => (await import('../commands/quality.ts')).quality),
];

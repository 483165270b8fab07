import type { CommandLine } from '../../cli/command.ts';
import { commandOf } from '../../cli/verb-command.ts';
import { analyzeQuality } from '../../verbs/quality/explain-quality.ts';
import { rateMemory } from '../../verbs/quality/rate-memory.ts';

export const COMMANDS: readonly CommandLine[] = [
  commandOf(rateMemory, async () => (await import('../../cli/commands/quality.ts')).rate),
  commandOf(analyzeQuality, async () => (await import('../../cli/commands/quality.ts')).quality),
];

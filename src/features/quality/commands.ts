import type { CommandLine } from '../../cli/command.ts';
import { commandOf } from '../../cli/verb-command.ts';
import { analyzeQuality } from './verbs/explain-quality.ts';
import { rateMemory } from './verbs/rate-memory.ts';

export const COMMANDS: readonly CommandLine[] = [
  commandOf(rateMemory, async () => (await import('./terminal/quality.ts')).rate),
  commandOf(analyzeQuality, async () => (await import('./terminal/quality.ts')).quality),
];

import type { Caller } from '../../model/caller.ts';
import type { QualityAnalysis, QualityReport } from '../../model/quality.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { AnalyzeInput } from './analyze-quality.ts';
import type { Evaluation, ScoredTexts } from './evaluate-quality.ts';
import type { RatedOutcome, RateInput } from './rate-memory.ts';

/** What memories are worth, and why. */
export interface QualityVerbs {
  rateMemory(caller: Caller, input: RateInput): Promise<RatedOutcome>;
  /** The number with the facts and the arithmetic it follows from. */
  explainQuality(caller: Caller, ref: string): Promise<QualityReport>;
  /** Looks at reads, and asks a model where the operator has named one for it. */
  evaluateQuality(caller: Caller, ref: string): Promise<Evaluation>;
  /** What a model thinks of texts, in order; null where there is none, or it may not be asked. Nothing is stored but what it cost. */
  scoreTexts(caller: Caller, texts: readonly string[]): Promise<ScoredTexts>;
  analyzeQuality(caller: Caller, input: AnalyzeInput): Promise<QualityAnalysis>;
}

export function createQualityVerbs(parts: EngineParts): QualityVerbs {
  return {
    rateMemory: async (caller, input) => (await import('./rate-memory.ts')).rateMemory(parts, caller, input),
    explainQuality: async (caller, ref) => (await import('./explain-quality.ts')).explainQuality(parts, caller, ref),
    evaluateQuality: async (caller, ref) => (await import('./evaluate-quality.ts')).evaluateQuality(parts, caller, ref),
    scoreTexts: async (caller, texts) => (await import('./evaluate-quality.ts')).scoreTexts(parts, caller, texts),
    analyzeQuality: async (caller, input) =>
      (await import('./analyze-quality.ts')).analyzeQuality(parts, caller, input),
  };
}

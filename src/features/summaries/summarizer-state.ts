import type { EngineParts } from '../../engine/engine-parts.ts';

/** The model has failed again and again, and is not asked for a while; of this process. */
export function isSummarizerLeftInPeace({ summarizer }: EngineParts): boolean {
  return summarizer?.isLeftInPeace ?? false;
}

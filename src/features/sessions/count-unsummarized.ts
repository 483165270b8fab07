import type { EngineParts } from '../../engine/engine-parts.ts';
import type { Caller } from '../../model/caller.ts';
import { lateFunctions } from '../../model/late.ts';

const pending = lateFunctions(() => import('./summarize-pending.ts'), 'countUnsummarized');

/** Observations that a model is still to summarise; 0 where none is asked. */
export async function countUnsummarized(core: EngineParts, caller: Caller): Promise<number> {
  if (core.summarizer == null) return 0;
  return pending.countUnsummarized(core, caller);
}

import type { Caller } from '../../model/caller.ts';
import type { UndoInput, UndoOutcome } from '../../model/history.ts';
import type { EngineParts } from '../engine-parts.ts';

/** What was, and how to get back there. */
export interface HistoryVerbs {
  /** Undoes changes of the caller's space by their numbers in the feed, or a batch; without either, the caller's last commit. */
  undoChanges(caller: Caller, input: UndoInput): Promise<UndoOutcome>;
}

export function createHistoryVerbs(parts: EngineParts): HistoryVerbs {
  return {
    undoChanges: async (caller, input) => (await import('./undo-changes.ts')).undoChanges(parts, caller, input),
  };
}

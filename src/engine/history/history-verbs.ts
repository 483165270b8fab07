import type { Belief, ListBeliefsInput } from '../../model/belief.ts';
import type { Caller } from '../../model/caller.ts';
import type { Conflict, ListConflictsInput, ListedConflicts, Resolved, ResolveInput } from '../../model/conflict.ts';
import type { Diff, DiffInput, UndoInput, UndoOutcome } from '../../model/history.ts';
import type { EngineParts } from '../engine-parts.ts';
import { memoryKind } from '../memories/memory-kind.ts';

/** What was, and how to get back there. */
export interface HistoryVerbs {
  /** Undoes changes of the caller's space by their numbers in the feed, or a batch; without either, the caller's last commit. */
  undoChanges(caller: Caller, input: UndoInput): Promise<UndoOutcome>;
  /** What has come, changed and gone between two times. */
  diffMemories(caller: Caller, input: DiffInput): Promise<Diff>;
  /** Current memories that contradict each other. */
  listConflicts(caller: Caller, input: ListConflictsInput): Promise<ListedConflicts>;
  /** What contradicts one memory among those nearest to it, for whoever has just stored it. */
  findConflictsNearby(caller: Caller, ref: string): Promise<Conflict[]>;
  resolveConflict(caller: Caller, input: ResolveInput): Promise<Resolved>;
  /** What several current memories say alike. */
  listBeliefs(caller: Caller, input: ListBeliefsInput): Promise<Belief[]>;
}

export function createHistoryVerbs(parts: EngineParts): HistoryVerbs {
  return {
    listConflicts: async (caller, input) =>
      (await import('../truth/find-conflicts.ts')).findConflicts(parts, caller, input),
    findConflictsNearby: async (caller, ref) =>
      (await import('../truth/find-conflicts.ts')).findConflictsNearby(parts, caller, ref),
    listBeliefs: async (caller, input) => (await import('../truth/list-beliefs.ts')).listBeliefs(parts, caller, input),
    resolveConflict: async (caller, input) =>
      (await import('../truth/resolve-conflict.ts')).resolveConflict(parts, caller, input),
    diffMemories: async (caller, input) =>
      (await import('./diff-records.ts')).diffRecords(parts, caller, { ...input, kind: memoryKind.name }),
    undoChanges: async (caller, input) => (await import('./undo-changes.ts')).undoChanges(parts, caller, input),
  };
}

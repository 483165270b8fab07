import type { Caller } from '../../model/caller.ts';
import type {
  ConsolidationReport,
  ConsolidationStatus,
  Horizon,
  Recommendation,
  UndoneRun,
} from '../../model/consolidation.ts';
import type { RecordId } from '../../model/ids.ts';
import type { Insight, MaintenanceReport } from '../../model/insight.ts';
import type { Memory } from '../../model/memory.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { CleanedUp, CleanUpInput } from './clean-up.ts';
import type { ConsolidateInput } from './consolidate.ts';
import type { ArchivedMemories, MergedMemories, MergeInput } from './merge-memories.ts';

/** What becomes of memories with time. */
export interface ConsolidationVerbs {
  /** One run now, whatever the schedule says. */
  consolidate(caller: Caller, input: ConsolidateInput): Promise<ConsolidationReport>;
  readConsolidationStatus(caller: Caller): Promise<ConsolidationStatus>;
  recommendConsolidation(caller: Caller, horizon: Horizon): Promise<Recommendation>;
  pauseConsolidation(caller: Caller, input: { horizon?: Horizon; isPaused: boolean }): Promise<ConsolidationStatus>;
  /** Takes back everything that a run has done; `last` is the latest that is not undone. */
  undoConsolidation(caller: Caller, run: string): Promise<UndoneRun>;
  /** Memories that say the same; merged only where `dryRun` is false. */
  cleanUp(caller: Caller, input: CleanUpInput): Promise<CleanedUp>;
  mergeMemories(caller: Caller, input: MergeInput): Promise<MergedMemories>;
  /** Hidden from search until `restoreMemories` brings them back. */
  archiveMemories(caller: Caller, refs: readonly string[]): Promise<ArchivedMemories>;
  listArchived(caller: Caller, limit: number): Promise<Memory[]>;
  listInsights(caller: Caller): Promise<Insight[]>;
  acknowledgeInsight(caller: Caller, id: RecordId): Promise<Insight>;
  maintain(caller: Caller, input: { dryRun?: boolean }): Promise<MaintenanceReport>;
  readMaintenance(caller: Caller): Promise<MaintenanceReport | null>;
}

export function createConsolidationVerbs(parts: EngineParts): ConsolidationVerbs {
  const reporting = () => import('./report-state.ts');
  const merging = () => import('./merge-memories.ts');
  return {
    consolidate: async (caller, input) => (await import('./consolidate.ts')).consolidate(parts, caller, input),
    readConsolidationStatus: async (caller) => (await reporting()).readConsolidationStatus(parts, caller),
    recommendConsolidation: async (caller, horizon) =>
      (await reporting()).recommendConsolidation(parts, caller, horizon),
    pauseConsolidation: async (caller, input) => (await reporting()).pauseConsolidation(parts, caller, input),
    undoConsolidation: async (caller, run) => (await import('./undo-run.ts')).undoRun(parts, caller, run),
    cleanUp: async (caller, input) => (await import('./clean-up.ts')).cleanUp(parts, caller, input),
    mergeMemories: async (caller, input) => (await merging()).mergeMemories(parts, caller, input),
    archiveMemories: async (caller, refs) => (await merging()).archiveMemories(parts, caller, refs),
    listArchived: async (caller, limit) => (await import('./list-archived.ts')).listArchived(parts, caller, limit),
    listInsights: async (caller) => (await import('./keep-insights.ts')).listInsights(parts, caller),
    acknowledgeInsight: async (caller, id) =>
      (await import('./keep-insights.ts')).acknowledgeInsight(parts, caller, id),
    maintain: async (caller, input) => (await import('./maintain.ts')).maintain(parts, caller, input),
    readMaintenance: async (caller) => (await import('./maintain.ts')).readMaintenance(parts, caller),
  };
}

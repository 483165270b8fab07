import type { Instant, RecordId } from '../../model/ids.ts';
import type { ForgetReason } from '../../model/memory.ts';

export const HORIZONS = ['daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const;
export type Horizon = (typeof HORIZONS)[number];

export const CONSOLIDATION_STEPS = ['decay', 'duplicates', 'summaries', 'associations', 'forgetting'] as const;
export type ConsolidationStep = (typeof CONSOLIDATION_STEPS)[number];

/** What may be forgotten: nothing; what is plainly of no use; that, and what nobody has needed for long. */
export const FORGET_MODES = ['off', 'careful', 'aged'] as const;
export type ForgetMode = (typeof FORGET_MODES)[number];

/** One line for people. */
export interface NamedMemory {
  id: RecordId;
  title: string;
}

export interface DuplicateGroup {
  /** The one that would stay. */
  keep: NamedMemory;
  others: (NamedMemory & { similarity: number })[];
}

/** What a run has done, or would do; lists hold the first of many, counts all of them. */
export interface ConsolidationReport {
  /** Null for a dry run: nothing can be undone. */
  run: RecordId | null;
  horizon: Horizon;
  dryRun: boolean;
  startedAt: Instant;
  finishedAt: Instant;
  /** Memories that were looked at, and whether some of the horizon are left for the next run. */
  examined: number;
  isComplete: boolean;
  decay: {
    measured: number;
    changed: number;
    averageRelevance: number | null;
    lowest: (NamedMemory & { relevance: number })[];
  };
  duplicates: { groups: number; memories: number; found: DuplicateGroup[] };
  summaries: { clusters: number; made: (NamedMemory & { sources: RecordId[] })[] };
  /** Relations that the program proposes, each with its reason; nobody's word until they are confirmed. */
  associations: {
    proposed: number;
    pairs: { from: RecordId; to: RecordId; type: string; confidence: number; reason: string }[];
  };
  forgetting: {
    archived: number;
    spared: number;
    reasons: Partial<Record<ForgetReason, number>>;
    memories: (NamedMemory & { reason: ForgetReason })[];
  };
  notices: string[];
}

export const RUN_STATES = ['running', 'done', 'interrupted', 'undone'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** What a run was for: a horizon, or something that somebody asked for. */
export type RunPurpose = Horizon | 'cleanup' | 'merge' | 'archive' | 'insights';

export interface ConsolidationRun {
  id: RecordId;
  purpose: RunPurpose;
  state: RunState;
  by: string;
  startedAt: Instant;
  finishedAt: Instant | null;
  undoneAt: Instant | null;
  examined: number;
  /** How many of each it has changed. */
  changes: {
    quality: number;
    summaries: number;
    archived: number;
    merged: number;
    insights: number;
    associations: number;
  };
}

export interface ScheduledHorizon {
  horizon: Horizon;
  /** As the setting says it; null: it does not run by itself. */
  schedule: string | null;
  isPaused: boolean;
  lastAt: Instant | null;
  nextAt: Instant | null;
}

export interface ConsolidationStatus {
  /** Whether anything runs by itself. */
  isScheduled: boolean;
  forget: ForgetMode;
  horizons: ScheduledHorizon[];
  /** The latest first. */
  runs: ConsolidationRun[];
}

export interface Recommendation {
  horizon: Horizon;
  recommendation: 'beneficial' | 'optional' | 'none';
  reasons: string[];
  memories: number;
  inHorizon: number;
  olderThanMonth: number;
  sinceLastRunDays: number | null;
}

export interface UndoneRun {
  run: ConsolidationRun;
  restored: number;
  removed: number;
  /** Changed by somebody since, and left as they are. */
  left: RecordId[];
}

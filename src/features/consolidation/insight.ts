import type { Instant, RecordId } from '../../model/ids.ts';

export const INSIGHT_KINDS = ['pattern', 'trend', 'gap'] as const;
export type InsightKind = (typeof INSIGHT_KINDS)[number];

/** Something that many memories say together. Each number can be counted again from the memories with these tags. */
export interface Insight {
  /** The same for the same thing each time, so that it is told once. */
  id: RecordId;
  kind: InsightKind;
  tags: string[];
  text: string;
  /** 0 to 1. */
  confidence: number;
  /** pattern and gap: how many memories bear the tags; trend: how many of the last 7 days. */
  memories: number;
  /** trend: their types, and those of what is older than 30 days. */
  recentTypes: string[];
  earlierTypes: string[];
  isAcknowledged: boolean;
}

export interface MaintenanceStep {
  step: 'duplicates' | 'conflicts' | 'stale' | 'quality' | 'entities' | 'insights';
  /** What was found, by name. */
  counts: Record<string, number>;
  /** The run that can be undone, where something was changed. */
  run: RecordId | null;
  notice: string | null;
}

export interface MaintenanceReport {
  dryRun: boolean;
  startedAt: Instant;
  finishedAt: Instant;
  steps: MaintenanceStep[];
  errors: string[];
}

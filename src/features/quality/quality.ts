import type { Instant, RecordId } from '../../model/ids.ts';
import type { Usage } from '../../model/usage.ts';

export const RATINGS = [-1, 0, 1] as const;
/** Bad, neutral, good. */
export type Rating = (typeof RATINGS)[number];

/** Something that changed a record's quality, in the order in which it happened. */
export type QualityEvent =
  /** Somebody has said the number itself. */
  | { how: 'stated'; value: number; at: Instant }
  | { how: 'rated'; rating: Rating; by: string; feedback?: string; at: Instant }
  /** Reads were looked at, by a run of consolidation or because somebody asked. */
  | ({ how: 'used'; at: Instant } & Usage)
  /** A model was asked. */
  | ({ how: 'scored'; value: number; model: string; at: Instant } & Usage);

/** All that the number follows from: what it was before the first of these events, and they in order. */
export interface QualityFacts {
  from: number;
  events: QualityEvent[];
  /** The last rating among the earlier ones, which are kept as `from` alone. */
  lastRating?: Rating | undefined;
}

/** How far a memory still matters, with everything that goes into the product. */
export interface Relevance {
  value: number;
  base: number;
  /** What the base comes from: `metadata.importance_score`, a tag, or nothing. */
  baseFrom: string;
  ageDays: number;
  retentionDays: number;
  /** e^(−ageDays ÷ retentionDays). */
  decayFactor: number;
  connections: number;
  connectionBoost: number;
  /** Null: never read. */
  daysSinceRead: number | null;
  accessBoost: number;
  /** What the quality contributes: raised where there are many connections. */
  quality: number;
  qualityBoost: number;
  /** Why it is never forgotten, and never counts for less than half. */
  isProtected: boolean;
  protectedBy: string | null;
}

export interface QualityReport {
  id: RecordId;
  contentHash: string;
  title: string;
  type: string;
  tags: readonly string[];
  quality: number;
  facts: QualityFacts;
  usage: Usage & { daysSinceRead: number | null; score: number };
  relevance: Relevance;
  /** The arithmetic, for whoever wants to do it again. */
  formula: readonly string[];
  at: Instant;
}

/** One line of an overview. */
export interface RatedMemory {
  id: RecordId;
  contentHash: string;
  title: string;
  type: string;
  quality: number;
}

export interface QualityAnalysis {
  total: number;
  average: number | null;
  /** From 0.7, from 0.5, and below. */
  bands: { high: number; medium: number; low: number };
  /** By where their number comes from: ratings, models, reads, or what was stated. */
  origins: { rated: number; scored: number; used: number; stated: number };
  best: RatedMemory[];
  worst: RatedMemory[];
}

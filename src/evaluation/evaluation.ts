import type { Interval } from './bootstrap-macro.ts';
import type { Metrics } from './score-ranking.ts';

/** engine: what a client's search does. text, semantic: its two parts alone. fts5: SQLite's own full-text search, the plain baseline. */
export const SYSTEMS = ['engine', 'text', 'semantic', 'fts5'] as const;
export type System = (typeof SYSTEMS)[number];
/** null: it did not run, or nothing was asked of it. */
export type BySystem = Record<System, Metrics | null>;

export interface CategoryEvaluation {
  category: string;
  questions: number;
  systems: BySystem;
}

/** How well one file's questions were answered. */
export interface Evaluation {
  conversations: number;
  items: number;
  questions: number;
  /** Of the headline figures. */
  k: number;
  /** The mean of the categories' means. */
  macro: BySystem;
  /** The mean over all questions. */
  micro: BySystem;
  byCategory: CategoryEvaluation[];
  /** Of the engine's macro R@k fraction. */
  interval: (Interval & { samples: number; seed: number }) | null;
  verdicts: Verdicts;
  timing: Timing;
  notices: string[];
}

/** Does it know when there is nothing? Rates are null where nothing of the kind was asked. */
export interface Verdicts {
  negatives: number;
  /** Share of the questions without an answer that were answered 'found'. */
  falsePositiveRate: number | null;
  positives: number;
  /** Share of the questions with an answer that were answered 'nothing'. */
  falseNegativeRate: number | null;
}

export interface Timing {
  itemsPerSecond: number;
  searchP50Ms: number;
  searchP95Ms: number;
  seconds: number;
}

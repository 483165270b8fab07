import type { GraphNode } from '../../model/graph.ts';

/** Two current memories that cannot both hold. */
/** What mcp-memory-service calls memories that contradict each other until somebody decides: a tag, which a decision takes away by whichever door. */
export const UNRESOLVED_TAG = 'conflict:unresolved';

export interface Conflict {
  /** The newer one. */
  newer: GraphNode;
  older: GraphNode;
  /** The sentences that contradict each other. */
  newerSays: string;
  olderSays: string;
  confidence: number;
  reason: string;
  /** `found`: by the program. `stated`: somebody has related them so. */
  by: 'found' | 'stated';
}

export interface ListConflictsInput {
  /** Only those of this record. */
  ref?: string;
  project?: string;
  minConfidence?: number;
  limit?: number;
}

export interface ListedConflicts {
  conflicts: Conflict[];
  total: number;
}

export interface ResolveInput {
  /** What holds. */
  winner: string;
  /** What does not: hidden behind the winner, readable and restorable. */
  loser: string;
  /** Both hold: they are not reported again. */
  keepBoth?: boolean;
  reason?: string;
}

export interface Resolved {
  outcome: 'superseded' | 'kept_both';
  winner: GraphNode;
  loser: GraphNode;
}

import type { Instant, RecordId } from './ids.ts';
import type { StoredRecord } from './record.ts';
import type { Relation } from './relation.ts';

type Shown = 'id' | 'kind' | 'type' | 'tags' | 'project' | 'contentHash' | 'trust' | 'source' | 'supersededBy';

/** A record as the graph shows it: enough of its text to be understood without another call. */
export interface GraphNode extends Pick<StoredRecord, Shown | 'createdAt'> {
  title: string;
  excerpt: string;
  /** True where the excerpt is all of the content. */
  whole: boolean;
  /** Edges from where the walk began; null where it began nowhere. */
  distance: number | null;
}

export interface GraphRelation extends Pick<Relation, 'from' | 'to' | 'type' | 'createdAt'> {
  isSymmetric: boolean;
  confidence: number;
  /** `inferred`: found by the program, and not confirmed by anybody. */
  status: 'stated' | 'inferred' | 'ended';
  note: string | null;
  reason: string | null;
  by: string | null;
  agent: string | null;
  session: string | null;
  endedAt: Instant | null;
}

export interface RelateInput {
  /** Ids, content hashes or keys, of records of any kind. */
  from: string;
  to: string;
  /** `related` where nothing is said. */
  type?: string;
  /** 0 to 1; 1 where nothing is said. */
  confidence?: number;
  note?: string;
  agent?: string;
  session?: string;
}

export interface UnrelateInput extends Pick<RelateInput, 'from' | 'to'> {
  /** Absent: all types. */
  type?: string;
}

/** `confirmed`: the program had proposed it. */
export type RelateResult = 'related' | 'updated' | 'confirmed' | 'unchanged';

export interface Related {
  outcome: RelateResult;
  relation: GraphRelation;
  from: GraphNode;
  to: GraphNode;
}

export const RELATION_STATES = ['stated', 'inferred', 'ended', 'all'] as const;

export interface ListRelationsInput {
  /** Those of one record; absent: all of the caller's space. */
  ref?: string;
  type?: string;
  /** Absent: stated and inferred ones, which have not ended. */
  status?: (typeof RELATION_STATES)[number];
  limit?: number;
  cursor?: string;
}

export interface ListedRelations {
  relations: GraphRelation[];
  /** The records at their ends. */
  nodes: GraphNode[];
  cursor: string | null;
}

export const GRAPH_ACTIONS = ['connected', 'path', 'subgraph', 'infer', 'suggest'] as const;
export type GraphAction = (typeof GRAPH_ACTIONS)[number];

export interface ExploreInput {
  /** `connected` where nothing is said. */
  action?: GraphAction;
  /** The record where the walk begins; `infer` alone can do without. */
  ref?: string;
  /** Where a path ends. */
  to?: string;
  /** Only relations of these types; `infer`: of this one. */
  types?: readonly string[];
  /** Which way directed relations are followed. */
  direction?: 'both' | 'out' | 'in';
  maxHops?: number;
  limit?: number;
  /** Inferred relations count from this confidence on; absent: from the one that was measured. */
  minConfidence?: number;
  /** The records and relations as they were at this time. */
  asOf?: Instant;
}

/** A pair that could be related and is not. */
export interface ProposedPair {
  from: RecordId;
  to: RecordId;
  type: string;
  confidence: number | null;
  distance: number | null;
  reason: string;
}

export interface Explored {
  action: GraphAction;
  nodes: GraphNode[];
  relations: GraphRelation[];
  /** Of `path`: the ids from one end to the other; null where nothing joins them so shortly. */
  path: RecordId[] | null;
  /** Of `infer` and `suggest`. */
  pairs: ProposedPair[];
  /** There is more than `limit` allows. */
  more: boolean;
}

export interface InferInput {
  /** Only for this record; absent: for the newest of the space. */
  ref?: string;
  /** How many of the newest. */
  records?: number;
  minConfidence?: number;
  limit?: number;
  dryRun?: boolean;
}

export interface Inferred {
  outcome: 'inferred' | 'would_infer';
  /** How many records were looked at. */
  looked: number;
  pairs: ProposedPair[];
  nodes: GraphNode[];
}

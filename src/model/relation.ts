import type { Instant, RecordId } from './ids.ts';
import type { JsonObject } from './json.ts';

/** A directed, typed edge between two records of one space. Several types may join the same pair. */
export interface Relation {
  from: RecordId;
  to: RecordId;
  type: string;
  /** 0 to 1. */
  weight: number;
  /** See RelationFacts. */
  body: JsonObject;
  createdAt: Instant;
}

/** Which one it is: where it begins, where it ends and its type. */
export type RelationKey = Pick<Relation, 'from' | 'to' | 'type'>;

export interface RelationEnds {
  from: readonly RecordId[];
  to: readonly RecordId[];
}

export interface RelationPage {
  after: RelationKey | null;
  limit: number;
}

/** What a relation's body says: where it comes from, why, and what it was before. All of it may be absent. */
export interface RelationFacts {
  /** Who stated it: `door:user`, as the feed says it. */
  by?: string;
  client?: string;
  agent?: string;
  session?: string;
  note?: string;
  /** Found by the program and not stated by anybody. */
  isInferred?: true;
  /** Why the program proposes it. */
  reason?: string;
  /** Of a summary and its source: the content hash that the source had. */
  of?: string;
  /** Not valid any more since then. It stays, so that the past can be read and nobody proposes it anew. */
  endedAt?: Instant;
  endedBy?: string;
  /** What it was before, the oldest first. */
  earlier?: EarlierRelation[];
}

/** One state that a relation had, until it was said anew. */
export type EarlierRelation = Omit<RelationFacts, 'earlier'> & { weight: number; createdAt: Instant; until: Instant };

/** The body of a relation was checked when it was written; what another system wrote there is passed over. */
export function factsOf({ body }: Pick<Relation, 'body'>): RelationFacts {
  return body as RelationFacts;
}

export function isEnded(relation: Pick<Relation, 'body'>): boolean {
  return typeof factsOf(relation).endedAt === 'number';
}

export function isInferred(relation: Pick<Relation, 'body'>): boolean {
  return factsOf(relation).isInferred === true;
}

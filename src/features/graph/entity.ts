import type { GraphNode, GraphRelation } from '../../model/graph.ts';
import type { Instant, RecordId } from '../../model/ids.ts';

export const ENTITY_KINDS = ['person', 'file', 'package', 'function', 'error', 'url', 'ticket', 'decision'] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];

/** Something that a text names. */
export interface Entity {
  kind: EntityKind;
  /** As the text writes it. */
  name: string;
  /** The same for all ways of writing it: `person:ada`. */
  key: string;
}

/** An entity with all that mention it. */
export interface KnownEntity extends Entity {
  /** Other ways in which it is written, or that somebody has said to mean the same. */
  aliases: string[];
  mentions: number;
  lastAt: Instant;
}

export interface ListEntitiesInput {
  kind?: EntityKind;
  /** Only those whose name holds this text. */
  contains?: string;
  /** Only those that this record mentions. */
  ref?: string;
  limit?: number;
}

export interface ListedEntities {
  entities: KnownEntity[];
  total: number;
}

export interface AboutInput {
  /** An entity (`person:ada`, `@ada`, `src/login.ts`) or any topic. */
  name: string;
  limit?: number;
  project?: string;
}

/** One memory that has to do with the subject, and which of its words say so. */
export interface AboutSource extends GraphNode {
  /** The sentences that name it; where none does, the beginning. */
  says: string;
  /** `mention`: it names it. `search`: it was found by words and meaning. */
  by: 'mention' | 'search';
}

export interface About {
  /** null: no text names it; what is told comes from a search. */
  entity: KnownEntity | null;
  sources: AboutSource[];
  /** How many mention it. */
  total: number;
  /** What is mentioned together with it, the most often first. */
  related: (Entity & { together: number })[];
  /** Between the sources. */
  relations: GraphRelation[];
}

export interface MergeEntitiesInput {
  /** The name that stays. */
  into: string;
  aliases: readonly string[];
}

export interface MergedEntity {
  id: RecordId;
  entity: Entity;
  aliases: string[];
}

import type { GraphNode } from '../../model/graph.ts';
import type { RecordId } from '../../model/ids.ts';

/** What several memories say, and how far that can be relied on. */
export interface Belief {
  /** In the words of the newest memory that says it. */
  content: string;
  /** 0 to 1. */
  confidence: number;
  /** disputed: something contradicts it that nobody has decided about. */
  status: 'active' | 'disputed';
  /** The newest first. */
  sources: GraphNode[];
  /** Those that say otherwise. */
  contradicted: GraphNode[];
}

export interface ListBeliefsInput {
  /** Only what these records say, or deny. */
  ids?: readonly RecordId[];
  limit?: number;
}

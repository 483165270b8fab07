import type { ReplicaId, Sequence } from './ids.ts';
import type { EmbedderId } from './passage.ts';

/** Sizes and counts of one space, and what keeps it. */
export interface StoreFacts {
  store: 'sqlite' | 'postgres';
  /** Shown to the owner only. */
  location: string;
  records: number;
  deleted: number;
  superseded: number;
  passages: number;
  vectors: { embedder: EmbedderId; passages: number }[];
  relations: number;
  versions: number;
  graves: number;
  segments: number;
  segmentBytes: number;
  head: Sequence;
  bytes: number;
  schemaVersion: number;
  /** Who this database is among others, and which numbering the feed's positions belong to; both are new for a copy. */
  replica: ReplicaId;
  epoch: string;
  /** What keeps spaces apart besides ltm's own filter; null where the database has no such thing. */
  rowSecurity: RowSecurity | null;
}

export interface RowSecurity {
  /** `against_mistakes`: a statement that forgets its space gets nothing, but the role that serves could switch it off. */
  stands: 'fully' | 'against_mistakes' | 'not';
  /** For the operator. */
  detail: string;
}

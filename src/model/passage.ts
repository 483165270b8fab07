import type { RecordId } from './ids.ts';
import type { StoredRecord } from './record.ts';

/** What search finds of a record: a piece of its text. */
export interface Passage {
  /** 0, 1, 2 … within its record. */
  ordinal: number;
  text: string;
}

/** Identity of a vector space. Two ids never meet in one comparison. */
export type EmbedderId = string;

/** A unit vector as signed bytes: component = bytes[i] × scale. */
export interface StoredVector {
  embedder: EmbedderId;
  ordinal: number;
  scale: number;
  bytes: Int8Array;
}

/** All that the index wants to know of one record; `passages` is empty when the record is deleted or gone. Damaged vectors are left out. */
export interface IndexEntry {
  id: RecordId;
  record: StoredRecord | null;
  /** `record`: it is there, and cannot be relied on. `passages`: it is sound, and they must be made anew from it. */
  damaged?: 'record' | 'passages';
  /** Some of its vectors are damaged, and were left out. */
  lacksVectors?: boolean;
  passages: readonly Passage[];
  vectors: readonly StoredVector[];
}

import type { RecordId } from '../../model/ids.ts';
import type { Memory } from '../../model/memory.ts';
import type { StorableValues, UpdatableValues } from '../../model/memory-fields.ts';
import type { OnDuplicate } from '../../model/memory-types.ts';
import type { StoredRecord } from '../../model/record.ts';
import type { Redaction } from '../../model/redaction.ts';
import type { Rejection } from '../../model/rejection.ts';

export type { Memory } from '../../model/memory.ts';
export type { OnDuplicate } from '../../model/memory-types.ts';

/** What a caller may say of a new memory. Times are milliseconds; surfaces that take text read it first. */
export interface StoreMemoryInput extends StorableValues {
  content: string;
  onDuplicate?: OnDuplicate;
  /** A retry with the same key gets the first answer and writes nothing. */
  idempotencyKey?: string;
  /** Store secrets as they are. Persons only. */
  noRedact?: boolean;
}

/** Another memory that says nearly the same. */
export interface Resemblance extends Pick<StoredRecord, 'trust' | 'source'> {
  id: RecordId;
  /** 0 to 1; 1 is the same text. */
  similarity: number;
  /** Its first line. */
  title: string;
}

export type StoreOutcome = {
  /** What a person should know: an unknown type, an embedding still to come … */
  warnings: string[];
  searchableBy: 'text' | 'text+meaning';
  /** Secrets that were found in it, and whether they were replaced. */
  redactions: Redaction[];
} & (
  | { outcome: 'stored'; memory: Memory; resembles: Resemblance[]; supersedes: RecordId[]; chunks: Memory[] }
  /** The same text was there: nothing was written. */
  | { outcome: 'duplicate'; memory: Memory }
  /** `merge` and `append`: the memory that was there has taken the new one in. */
  | { outcome: 'merged' | 'appended'; memory: Memory; resembles: Resemblance[] }
  /** The caller asked to refuse duplicates, and this is one. */
  | { outcome: 'refused'; resembles: Resemblance[] }
  /** One of several, left out because a person has rejected its text; `message` says when and why. A single one fails with the code `rejected`. */
  | { outcome: 'rejected'; rejection: Rejection; message: string }
  /** The key was in use: its memory has the new content now. */
  | { outcome: 'updated'; memory: Memory }
);

/** Of one alone: what is rejected fails. */
export type StoredOutcome = Exclude<StoreOutcome, { outcome: 'rejected' }>;

/** Tags replace all there are; metadata is merged into what is there, and a null value removes its key. */
export interface UpdateMemoryInput extends UpdatableValues {
  ref: string;
  /** A new memory takes over, the old one stays readable as superseded. */
  versioned?: boolean;
  reason?: string;
  /** Only if the memory is still at this revision. */
  revision?: number;
  /** false: updatedAt moves even if only metadata changed, and createdAt may be set. */
  preserveTimestamps?: boolean;
  /** Store secrets as they are. Persons only. */
  noRedact?: boolean;
}

export type UpdateOutcome = {
  outcome: 'updated' | 'unchanged' | 'versioned';
  memory: Memory;
  changed: string[];
  previous: RecordId | null;
  warnings: string[];
  redactions: Redaction[];
};

import type { Instant, RecordId } from './ids.ts';
import type { RecordKind } from './record.ts';

/** What a person did so that a text does not come back. `not_needed`: a plain deletion, which holds for its own source alone. */
export const REJECTED_HOW = ['rejected', 'resolved', 'deleted', 'purged', 'not_needed'] as const;
export type RejectedHow = (typeof REJECTED_HOW)[number];

/** A tombstone: it keeps a text out, without having to keep the text. */
export interface Rejection {
  id: RecordId;
  how: RejectedHow;
  at: Instant;
  /** `door:user`. */
  by: string;
  why: string | null;
  /** Only what this source says is kept out, such as `session:NAME`; null: whoever says it. */
  from: string | null;
  project: string | null;
  /** What was rejected, as long as it is kept. */
  record: RecordId | null;
  kind: RecordKind;
  /** Null where the words are gone, or never were kept here. */
  text: string | null;
}

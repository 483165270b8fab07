import type { Instant, RecordId } from './ids.ts';
import type { JsonObject } from './json.ts';

/** A directed, typed edge between two records of one space. Several types may join the same pair. */
export interface Relation {
  from: RecordId;
  to: RecordId;
  type: string;
  /** 0 to 1. */
  weight: number;
  body: JsonObject;
  createdAt: Instant;
}

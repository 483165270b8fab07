import type { Instant } from './ids.ts';

/** How often a record was read by the time that this was looked up; null: never. */
export interface Usage {
  reads: number;
  lastReadAt: Instant | null;
}

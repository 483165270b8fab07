import { type Instant, newRecordId, type Sequence } from '../../model/ids.ts';
import type { SegmentId } from '../../model/segment.ts';

/** Tells in its name how far the segment covers the feed, so that nobody has to read it to know. */
export function newSegmentId(now: Instant, to: Sequence): SegmentId {
  return `${newRecordId(now)}.${to}`;
}

/** NaN for a name that does not tell. */
export function readCoveredTo(id: SegmentId): Sequence {
  return Number(/\.(\d+)$/.exec(id)?.[1] ?? Number.NaN);
}

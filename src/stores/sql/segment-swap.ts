import type { Instant, SpaceId } from '../../model/ids.ts';
import type { Segment, SegmentId } from '../../model/segment.ts';
import type { SegmentRow } from '../rows/segment-row.ts';

/** What a process that died left half written is cleared away after this long. */
export const ABANDONED_AFTER_MS = 10 * 60 * 1000;

export interface SegmentSwap {
  space: SpaceId;
  old: readonly SegmentId[];
  next: readonly Segment[];
  now: Instant;
}

export function listLeaving({ old, next }: SegmentSwap): SegmentId[] {
  const kept = new Set(next.map(({ id }) => id));
  return old.filter((id) => !kept.has(id));
}

/** True when `old` is all there and what would be live afterwards covers the feed from 0 without gap or overlap. */
export function fitsFeed(live: readonly SegmentRow[], swap: SegmentSwap, added: readonly Segment[]): boolean {
  const liveIds = new Set(live.map(({ id }) => id));
  if (!swap.old.every((id) => liveIds.has(id))) return false;
  const leaving = new Set(listLeaving(swap));
  const ranges = live
    .filter(({ id }) => !leaving.has(id))
    .map(({ from_seq, to_seq }) => ({ from: from_seq, to: to_seq }));
  ranges.push(...added);
  ranges.sort((a, b) => a.from - b.from || a.to - b.to);
  let covered = 0;
  for (const { from, to } of ranges) {
    if (from !== covered) return false;
    covered = to;
  }
  return true;
}

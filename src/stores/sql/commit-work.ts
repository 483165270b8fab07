import type { Change, FeedEntry } from '../../model/change.ts';
import type { Dot, Instant, RecordId, ReplicaId, Sequence, SpaceId } from '../../model/ids.ts';
import type { FeedNote, Standing } from './plan-writes.ts';

export interface CommitRequest {
  space: SpaceId;
  changes: readonly Change[];
  actor: string;
  now: Instant;
}

/** Where a commit begins. */
export interface CommitStart {
  /** The feed's last number. */
  head: Sequence;
  replica: ReplicaId;
  /** Kept with each entry, see SqlDatabase. */
  mark: string | null;
}

/** One commit while it is being applied. */
export interface CommitWork extends Omit<CommitRequest, 'changes'> {
  readonly replica: ReplicaId;
  /** What the feed will say of it; written together at its end. */
  readonly entries: FeedEntry[];
  /** The feed's last number, counted up with each entry. */
  seq: Sequence;
  /** Which change is being applied. */
  index: number;
  readonly revisions: Record<RecordId, number>;
  readonly readAhead: Map<RecordId, Standing>;
}

/** Of the write whose entry in the feed comes next. */
export function nextDot({ replica, seq }: CommitWork): Dot {
  return `${replica}:${seq + 1}`;
}

/** Returns the entry's number. */
export function appendToFeed(work: CommitWork, { relation = null, ...note }: FeedNote): Sequence {
  work.seq += 1;
  work.entries.push({ ...note, relation, seq: work.seq, at: work.now, actor: work.actor });
  return work.seq;
}

import type { FeedEntry, FeedOp } from '../../model/change.ts';
import type { Instant, RecordId, Sequence } from '../../model/ids.ts';
import type { RecordKind } from '../../model/record.ts';

export const FEED_COLUMNS = 'seq, at, op, record_id, kind, revision, actor';

export type FeedRow = {
  seq: Sequence;
  at: Instant;
  op: FeedOp;
  record_id: RecordId;
  kind: RecordKind | null;
  revision: number | null;
  actor: string;
};

export function toFeedEntry({ seq, at, op, record_id, kind, revision, actor }: FeedRow): FeedEntry {
  return { seq, at, op, id: record_id, kind, revision, actor };
}

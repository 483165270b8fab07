import type { FeedEntry, FeedOp } from '../../model/change.ts';
import type { Instant, RecordId, Sequence } from '../../model/ids.ts';
import type { RecordKind } from '../../model/record.ts';

export const FEED_COLUMNS = ['seq', 'at', 'op', 'record_id', 'kind', 'revision', 'actor', 'to_id', 'relation_type'];

export type FeedRow = {
  seq: Sequence;
  at: Instant;
  op: FeedOp;
  record_id: RecordId;
  kind: RecordKind | null;
  revision: number | null;
  actor: string;
  to_id: RecordId | null;
  relation_type: string | null;
};

export function toFeedEntry({
  seq,
  at,
  op,
  record_id,
  kind,
  revision,
  actor,
  to_id,
  relation_type,
}: FeedRow): FeedEntry {
  const relation = to_id === null || relation_type === null ? null : { to: to_id, type: relation_type };
  return { seq, at, op, id: record_id, kind, revision, actor, relation };
}

/** In the order of the columns. */
export function feedValues({
  seq,
  at,
  op,
  id,
  kind,
  revision,
  actor,
  relation,
}: FeedEntry): (string | number | null)[] {
  return [seq, at, op, id, kind, revision, actor, relation?.to ?? null, relation?.type ?? null];
}

import type { FeedEntry, FeedOp } from '../../model/change.ts';
import type { Instant, RecordId, Sequence, SpaceId } from '../../model/ids.ts';
import type { RecordKind } from '../../model/record.ts';
import { find, type Steps, select, send, sendRows } from './statements.ts';

const FEED_COLUMNS = ['seq', 'at', 'op', 'record_id', 'kind', 'revision', 'actor', 'to_id', 'relation_type'];
const FEED = { table: 'feed', columns: FEED_COLUMNS };
const MARKED_FEED = { table: 'feed', columns: [...FEED_COLUMNS, 'commit_id'] };

export function* readHead(space: SpaceId): Steps<Sequence> {
  return (yield* lockOrReadHead(space, '')) ?? 0;
}

/** Commits of one space stand in line here, whichever program makes them; null when nobody has written to the space yet. */
export function* lockHead(space: SpaceId): Steps<Sequence | null> {
  return yield* lockOrReadHead(space, ' FOR UPDATE');
}

function* lockOrReadHead(space: SpaceId, how: '' | ' FOR UPDATE'): Steps<Sequence | null> {
  const row = yield* find<{ seq: Sequence }>(`SELECT seq FROM feed_heads WHERE space_id = $1${how}`, space);
  return row?.seq ?? null;
}

/** Waits where another program is just making it. The first of all begins the time of the store. */
export function* makeSpace(space: SpaceId, now: Instant): Steps<void> {
  yield* send('UPDATE replica SET believed_at = $1 WHERE believed_at = 0', now);
  yield* send('INSERT INTO spaces (space_id, created_at) VALUES ($1, $2) ON CONFLICT DO NOTHING', space, now);
  yield* send('INSERT INTO feed_heads (space_id, seq) VALUES ($1, 0) ON CONFLICT DO NOTHING', space);
}

export function* writeHead(space: SpaceId, seq: Sequence): Steps<void> {
  yield* send('UPDATE feed_heads SET seq = $2, changed_at = now() WHERE space_id = $1', space, seq);
}

export function* writeEntries(
  space: SpaceId,
  entries: readonly FeedEntry[],
  { mark, unlessThere = false }: { mark: string | null; unlessThere?: boolean },
): Steps<void> {
  const into = mark === null ? FEED : MARKED_FEED;
  yield* sendRows({
    into: unlessThere ? { ...into, conflict: 'ON CONFLICT (space_id, seq) DO NOTHING' } : into,
    space,
    rows: entries.map((entry) => (mark === null ? feedValues(entry) : [...feedValues(entry), mark])),
  });
}

export function* readChangesAfter(space: SpaceId, seq: Sequence, limit: number): Steps<FeedEntry[]> {
  const rows = yield* select<FeedRow>(
    `SELECT ${FEED_COLUMNS.join(', ')} FROM feed WHERE space_id = $1 AND seq > $2 ORDER BY seq LIMIT $3`,
    ...[space, seq, Math.max(0, limit)],
  );
  return rows.map(toFeedEntry);
}

type FeedRow = {
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

function toFeedEntry({ seq, at, op, record_id, kind, revision, actor, to_id, relation_type }: FeedRow): FeedEntry {
  const relation = to_id === null || relation_type === null ? null : { to: to_id, type: relation_type };
  return { seq, at, op, id: record_id, kind, revision, actor, relation };
}

/** In the order of the columns. */
function feedValues({ seq, at, op, id, kind, revision, actor, relation }: FeedEntry): (string | number | null)[] {
  return [seq, at, op, id, kind, revision, actor, relation?.to ?? null, relation?.type ?? null];
}

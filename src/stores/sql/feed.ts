import type { FeedEntry, FeedOp } from '../../model/change.ts';
import { type NoteDamage, type RowCounts, refuseDamage } from '../../model/damage.ts';
import { EngineError } from '../../model/errors.ts';
import type { Instant, RecordId, ReplicaId, Sequence, SpaceId } from '../../model/ids.ts';
import type { RecordKind } from '../../model/record.ts';
import { ALL_COUNTED } from './label-counts.ts';
import { exists, find, type Steps, select, send, sendRows } from './statements.ts';
import {
  checkHead,
  countsOf,
  FEED,
  HEAD_COLUMNS,
  type HeadRow,
  headValues,
  matchesSum,
  noRows,
  summedColumns,
  withSum,
} from './sums.ts';

const PLAIN_FEED = { table: FEED.table, columns: summedColumns(FEED) };
const MARKED_FEED = { table: FEED.table, columns: [...summedColumns(FEED), 'commit_id'] };

export interface Head {
  seq: Sequence;
  /** null: nobody has counted yet. */
  counts: RowCounts | null;
  /** The id up to which labels are counted. */
  counted: RecordId;
  /** The number up to which the feed is no longer kept. */
  pruned: Sequence;
  /** Who writes here, and which numbering the feed's positions belong to, where that is not what the database says. */
  replica: ReplicaId | null;
  epoch: string | null;
  /** Not 0: it keeps what machines have sealed, and no records; one more than the last number that an upload was given. */
  sealed: number;
}

export function* readHead(space: SpaceId): Steps<Sequence> {
  return (yield* readHeadRow(space))?.seq ?? 0;
}

/** null when nobody has written to the space yet. */
export function* readHeadRow(space: SpaceId): Steps<Head | null> {
  const head = yield* lockOrReadHead(space, '');
  if (head !== null || !(yield* exists('SELECT 1 FROM feed WHERE space_id = $1 LIMIT 1', space))) return head;
  throw new EngineError('storage_damaged', `The head of the feed of space ${space} is missing.`, {
    hint: '`ltm doctor --repair` makes it anew from the feed.',
    details: { what: 'head', id: space },
  });
}

/** Commits of one space stand in line here, whichever program makes them; null when nobody has written to the space yet. */
export function* lockHead(space: SpaceId): Steps<Head | null> {
  return yield* lockOrReadHead(space, ' FOR UPDATE');
}

function* lockOrReadHead(space: SpaceId, how: '' | ' FOR UPDATE'): Steps<Head | null> {
  const row = yield* find<HeadRow & Pick<Head, 'counted' | 'pruned' | 'replica' | 'epoch' | 'sealed'>>(
    `SELECT ${HEAD_COLUMNS}, counted, pruned, replica, epoch, sealed FROM feed_heads WHERE space_id = $1${how}`,
    space,
  );
  if (row === undefined) return null;
  checkHead(space, row);
  const { seq, counted, pruned, replica, epoch, sealed } = row;
  return { seq, counts: countsOf(row), counted, pruned, replica, epoch, sealed };
}

/** Whatever is written from now on is covered. */
const MAKE_HEAD = `INSERT INTO feed_heads (space_id, ${HEAD_COLUMNS}, covered, counted) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'all', '${ALL_COUNTED}') ON CONFLICT DO NOTHING`;
const WRITE_HEAD = `UPDATE feed_heads SET ${HEAD_COLUMNS.split(', ')
  .map((column, i) => `${column} = $${i + 2}`)
  .join(', ')}, changed_at = now() WHERE space_id = $1`;

/** Waits where another program is just making it. The first of all begins the time of the store. */
export function* makeSpace(space: SpaceId, now: Instant): Steps<void> {
  yield* send('UPDATE replica SET believed_at = $1 WHERE believed_at = 0', now);
  yield* send('INSERT INTO spaces (space_id, created_at) VALUES ($1, $2) ON CONFLICT DO NOTHING', space, now);
  yield* send(MAKE_HEAD, space, ...headValues(space, 0, noRows()));
}

export function* writeHead(space: SpaceId, { seq, counts }: Pick<Head, 'seq' | 'counts'>): Steps<void> {
  yield* send(WRITE_HEAD, space, ...headValues(space, seq, counts));
}

export function* writeEntries(
  space: SpaceId,
  entries: readonly FeedEntry[],
  { mark, unlessThere = false }: { mark: string | null; unlessThere?: boolean },
): Steps<void> {
  const into = mark === null ? PLAIN_FEED : MARKED_FEED;
  yield* sendRows({
    into: unlessThere ? { ...into, conflict: 'ON CONFLICT (space_id, seq) DO NOTHING' } : into,
    space,
    rows: entries.map((entry) => [...withSum(feedValues(entry)), ...(mark === null ? [] : [mark])]),
  });
}

export function* readChangesAfter(
  space: SpaceId,
  { after, limit, note = refuseDamage }: { after: Sequence; limit: number; note?: NoteDamage },
): Steps<FeedEntry[]> {
  const rows = yield* select<FeedRow>(
    `SELECT ${summedColumns(FEED).join(', ')} FROM feed WHERE space_id = $1 AND seq > $2 ORDER BY seq LIMIT $3`,
    space,
    after,
    Math.max(0, limit),
  );
  const sound = rows.filter((row) => matchesSum(row, FEED));
  if (sound.length < rows.length)
    for (const row of rows) if (!matchesSum(row, FEED)) note({ what: 'change', id: String(row.seq) });
  return sound.map(toFeedEntry);
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
  crc: number | null;
};

function toFeedEntry({ seq, at, op, record_id, kind, revision, actor, to_id, relation_type }: FeedRow): FeedEntry {
  const relation = to_id === null || relation_type === null ? null : { to: to_id, type: relation_type };
  return { seq, at, op, id: record_id, kind, revision, actor, relation };
}

/** In the order of the columns. */
function feedValues({ seq, at, op, id, kind, revision, actor, relation }: FeedEntry): (string | number | null)[] {
  return [seq, at, op, id, kind, revision, actor, relation?.to ?? null, relation?.type ?? null];
}

/** 0: none was given yet. */
export function* readLastNumber(space: SpaceId): Steps<number> {
  const row = yield* find<{ numbered: number }>('SELECT numbered FROM feed_heads WHERE space_id = $1', space);
  return row?.numbered ?? 0;
}

/** Never fewer than were given already. */
export function* writeLastNumber(space: SpaceId, upTo: number): Steps<void> {
  yield* send('UPDATE feed_heads SET numbered = $2 WHERE space_id = $1 AND numbered < $2', space, upTo);
}

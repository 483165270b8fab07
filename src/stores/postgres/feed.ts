import type { FeedEntry } from '../../model/change.ts';
import type { Instant, Sequence, SpaceId } from '../../model/ids.ts';
import type { FeedNote } from '../plan-writes.ts';
import { FEED_COLUMNS, type FeedRow, toFeedEntry } from '../rows/feed-row.ts';
import type { CommitWork } from './commit.ts';
import type { Session } from './database.ts';
import { sendRows } from './insert-rows.ts';

export async function readHead(session: Session, space: SpaceId): Promise<Sequence> {
  const { rows } = await session.query<{ seq: Sequence }>('SELECT seq FROM feed_heads WHERE space_id = $1', [space]);
  return rows[0]?.seq ?? 0;
}

/** Commits of one space stand in line here, whichever program makes them; null when nobody has written to the space yet. */
export async function lockHead(session: Session, space: SpaceId): Promise<Sequence | null> {
  const { rows } = await session.query<{ seq: Sequence }>('SELECT seq FROM feed_heads WHERE space_id = $1 FOR UPDATE', [
    space,
  ]);
  return rows[0]?.seq ?? null;
}

/** Makes the space; waits where another program is just making it. */
export async function makeSpace(session: Session, space: SpaceId, now: Instant): Promise<void> {
  session.send('INSERT INTO spaces (space_id, created_at) VALUES ($1, $2) ON CONFLICT DO NOTHING', [space, now]);
  session.send('INSERT INTO feed_heads (space_id, seq) VALUES ($1, 0) ON CONFLICT DO NOTHING', [space]);
  await session.settle();
}

export function writeHead(session: Session, space: SpaceId, seq: Sequence): void {
  session.send('UPDATE feed_heads SET seq = $2, changed_at = now() WHERE space_id = $1', [space, seq]);
}

/** Returns the entry's number. The entries of a commit are written together at its end. */
export function appendToFeed(work: CommitWork, note: FeedNote): Sequence {
  work.seq += 1;
  work.entries.push({ ...note, seq: work.seq });
  return work.seq;
}

export function writeEntries({ session, space, now, actor, entries, commitId }: CommitWork): void {
  sendRows(session, {
    table: 'feed',
    columns: ['seq', 'at', 'op', 'record_id', 'kind', 'revision', 'actor', 'commit_id'],
    space,
    rows: entries.map(({ seq, op, id, kind, revision }) => [seq, now, op, id, kind, revision, actor, commitId]),
  });
}

export async function readChangesAfter(
  session: Session,
  space: SpaceId,
  { seq, limit }: { seq: Sequence; limit: number },
): Promise<FeedEntry[]> {
  const { rows } = await session.query<FeedRow>(
    `SELECT ${FEED_COLUMNS} FROM feed WHERE space_id = $1 AND seq > $2 ORDER BY seq LIMIT $3`,
    [space, seq, Math.max(0, limit)],
  );
  return rows.map(toFeedEntry);
}

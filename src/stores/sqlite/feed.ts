import type { FeedEntry } from '../../model/change.ts';
import type { Sequence, SpaceId } from '../../model/ids.ts';
import type { FeedNote } from '../plan-writes.ts';
import { FEED_COLUMNS, type FeedRow, toFeedEntry } from '../rows/feed-row.ts';
import type { CommitWork } from './commit.ts';
import type { Connection } from './connection.ts';

export function readHead(connection: Connection, space: SpaceId): Sequence {
  const row = connection.statement('SELECT seq FROM feed_heads WHERE space_id = ?').get(space) as
    | { seq: Sequence }
    | undefined;
  return row?.seq ?? 0;
}

export function writeHead(connection: Connection, space: SpaceId, seq: Sequence): void {
  connection
    .statement('INSERT INTO feed_heads (space_id, seq) VALUES (?, ?) ON CONFLICT DO UPDATE SET seq = excluded.seq')
    .run(space, seq);
}

/** Returns the entry's number. */
export function appendToFeed(work: CommitWork, note: FeedNote): Sequence {
  work.seq += 1;
  work.connection
    .statement(
      'INSERT INTO feed (space_id, seq, at, op, record_id, kind, revision, actor) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    )
    .run(work.space, work.seq, work.now, note.op, note.id, note.kind, note.revision, work.actor);
  return work.seq;
}

export function readChangesAfter(
  connection: Connection,
  space: SpaceId,
  { seq, limit }: { seq: Sequence; limit: number },
): FeedEntry[] {
  const rows = connection
    .statement(`SELECT ${FEED_COLUMNS} FROM feed WHERE space_id = ? AND seq > ? ORDER BY seq LIMIT ?`)
    .all(space, seq, Math.max(0, limit)) as FeedRow[];
  return rows.map(toFeedEntry);
}

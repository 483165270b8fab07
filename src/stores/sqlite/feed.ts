import type { FeedEntry, FeedOp } from '../../model/change.ts';
import type { Instant, RecordId, Sequence, SpaceId } from '../../model/ids.ts';
import type { RecordKind } from '../../model/record.ts';
import type { CommitWork } from './commit.ts';
import type { Connection } from './connection.ts';

type FeedRow = { seq: Sequence; at: Instant; op: FeedOp; record_id: RecordId; kind: RecordKind | null; revision: number | null; actor: string };

export function readHead(connection: Connection, space: SpaceId): Sequence {
  const row = connection.statement('SELECT seq FROM feed_heads WHERE space_id = ?').get(space) as { seq: Sequence } | undefined;
  return row?.seq ?? 0;
}

export function writeHead(connection: Connection, space: SpaceId, seq: Sequence): void {
  connection.statement('INSERT INTO feed_heads (space_id, seq) VALUES (?, ?) ON CONFLICT DO UPDATE SET seq = excluded.seq').run(space, seq);
}

/** Returns the entry's number. */
export function appendToFeed(work: CommitWork, entry: { op: FeedOp; id: RecordId; kind: RecordKind | null; revision: number | null }): Sequence {
  work.seq += 1;
  work.connection
    .statement('INSERT INTO feed (space_id, seq, at, op, record_id, kind, revision, actor) VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
    .run(work.space, work.seq, work.now, entry.op, entry.id, entry.kind, entry.revision, work.actor);
  return work.seq;
}

export function readChangesAfter(connection: Connection, space: SpaceId, { seq, limit }: { seq: Sequence; limit: number }): FeedEntry[] {
  const rows = connection
    .statement('SELECT seq, at, op, record_id, kind, revision, actor FROM feed WHERE space_id = ? AND seq > ? ORDER BY seq LIMIT ?')
    .all(space, seq, Math.max(0, limit)) as FeedRow[];
  return rows.map(({ seq, at, op, record_id, kind, revision, actor }) => ({ seq, at, op, id: record_id, kind, revision, actor }));
}

import type { Change, CommitConflict } from '../../model/change.ts';
import type { RecordId } from '../../model/ids.ts';
import type { RecordKind } from '../../model/record.ts';
import type { CommitWork } from './commit.ts';
import { appendToFeed } from './feed.ts';

/** Says it anew when the relation is already there. */
export function applyRelate(work: CommitWork, { relation }: Extract<Change, { op: 'relate' }>): CommitConflict | null {
  const { from, to, type, weight, body, createdAt } = relation;
  const kind = readKind(work, from);
  if (kind === null) return { reason: 'missing', index: work.index, id: from };
  if (readKind(work, to) === null) return { reason: 'missing', index: work.index, id: to };
  work.connection
    .statement(
      `INSERT INTO relations (space_id, from_id, to_id, type, weight, created_at, body) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET weight = excluded.weight, created_at = excluded.created_at, body = excluded.body`,
    )
    .run(work.space, from, to, type, weight, createdAt, JSON.stringify(body));
  appendToFeed(work, { op: 'related', id: from, kind, revision: null });
  return null;
}

/** One that is not there is no obstacle and makes no entry. */
export function applyUnrelate(work: CommitWork, { from, to, type }: Extract<Change, { op: 'unrelate' }>): null {
  const removed = work.connection
    .statement('DELETE FROM relations WHERE space_id = ? AND from_id = ? AND to_id = ? AND type = ?')
    .run(work.space, from, to, type);
  if (removed.changes > 0)
    appendToFeed(work, { op: 'unrelated', id: from, kind: readKind(work, from), revision: null });
  return null;
}

function readKind(work: CommitWork, id: RecordId): RecordKind | null {
  const row = work.connection.statement('SELECT kind FROM records WHERE space_id = ? AND id = ?').get(work.space, id) as
    | { kind: RecordKind }
    | undefined;
  return row?.kind ?? null;
}

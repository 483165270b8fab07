import type { Change, CommitConflict } from '../../model/change.ts';
import type { RecordId } from '../../model/ids.ts';
import type { RecordKind } from '../../model/record.ts';
import type { CommitWork } from './commit.ts';
import { appendToFeed } from './feed.ts';

/** Says it anew when the relation is already there. */
export async function applyRelate(
  work: CommitWork,
  { relation }: Extract<Change, { op: 'relate' }>,
): Promise<CommitConflict | null> {
  const { from, to, type, weight, body, createdAt } = relation;
  const [kind, end] = await Promise.all([readKind(work, from), readKind(work, to)]);
  if (kind === null) return { reason: 'missing', index: work.index, id: from };
  if (end === null) return { reason: 'missing', index: work.index, id: to };
  work.session.send(
    `INSERT INTO relations (space_id, from_id, to_id, type, weight, created_at, body) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (space_id, from_id, to_id, type) DO UPDATE SET weight = excluded.weight, created_at = excluded.created_at, body = excluded.body`,
    [work.space, from, to, type, weight, createdAt, JSON.stringify(body)],
  );
  appendToFeed(work, { op: 'related', id: from, kind, revision: null });
  return null;
}

/** One that is not there is no obstacle and makes no entry. */
export async function applyUnrelate(
  work: CommitWork,
  { from, to, type }: Extract<Change, { op: 'unrelate' }>,
): Promise<null> {
  const removed = await work.session.query(
    'DELETE FROM relations WHERE space_id = $1 AND from_id = $2 AND to_id = $3 AND type = $4',
    [work.space, from, to, type],
  );
  if (removed.count > 0)
    appendToFeed(work, { op: 'unrelated', id: from, kind: await readKind(work, from), revision: null });
  return null;
}

async function readKind(work: CommitWork, id: RecordId): Promise<RecordKind | null> {
  const { rows } = await work.session.query<{ kind: RecordKind }>(
    'SELECT kind FROM records WHERE space_id = $1 AND id = $2',
    [work.space, id],
  );
  return rows[0]?.kind ?? null;
}

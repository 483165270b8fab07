import type { Change, CommitConflict } from '../../model/change.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { RecordKind } from '../../model/record.ts';
import { appendToFeed, type CommitWork } from './commit-work.ts';
import { missing } from './conflicts.ts';
import { type Steps, select, send, write } from './statements.ts';

/** Says it anew when the relation is already there. */
export function* applyRelate(
  work: CommitWork,
  { relation }: Extract<Change, { op: 'relate' }>,
): Steps<CommitConflict | null> {
  const { from, to, type, weight, body, createdAt } = relation;
  const kinds = yield* readKinds(work.space, [from, to]);
  for (const id of [from, to]) if (!kinds.has(id)) return missing(work.index, id);
  yield* send(
    `INSERT INTO relations (space_id, from_id, to_id, type, weight, created_at, body) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (space_id, from_id, to_id, type) DO UPDATE SET weight = excluded.weight, created_at = excluded.created_at, body = excluded.body`,
    ...[work.space, from, to, type, weight, createdAt, JSON.stringify(body)],
  );
  appendToFeed(work, { op: 'related', id: from, kind: kinds.get(from)!, revision: null, relation: { to, type } });
  return null;
}

/** One that is not there is no obstacle and makes no entry. */
export function* applyUnrelate(
  work: CommitWork,
  { from, to, type }: Extract<Change, { op: 'unrelate' }>,
): Steps<CommitConflict | null> {
  const removed = yield* write(
    'DELETE FROM relations WHERE space_id = $1 AND from_id = $2 AND to_id = $3 AND type = $4',
    ...[work.space, from, to, type],
  );
  if (removed === 0) return null;
  const kind = (yield* readKinds(work.space, [from])).get(from) ?? null;
  appendToFeed(work, { op: 'unrelated', id: from, kind, revision: null, relation: { to, type } });
  return null;
}

function* readKinds(space: SpaceId, ids: readonly RecordId[]): Steps<Map<RecordId, RecordKind>> {
  const rows = yield* select<{ id: RecordId; kind: RecordKind }>(
    'SELECT id, kind FROM records WHERE space_id = $1 AND id = ANY ($2::text[])',
    ...[space, ids],
  );
  return new Map(rows.map(({ id, kind }) => [id, kind]));
}

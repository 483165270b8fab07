import type { Change } from '../../model/change.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { StoredVector } from '../../model/passage.ts';
import type { RecordKind } from '../../model/record.ts';
import { appendToFeed, type CommitWork } from './commit-work.ts';
import { find, insertRows, type SqlValue, type Steps, sendRows } from './statements.ts';

const VECTORS = { table: 'vectors', columns: ['record_id', 'ordinal', 'embedder', 'scale', 'bytes'] };
const CONFLICT = 'ON CONFLICT (space_id, record_id, ordinal, embedder) DO';
const KEEP = { ...VECTORS, conflict: `${CONFLICT} NOTHING` };
const REPLACE = { ...VECTORS, conflict: `${CONFLICT} UPDATE SET scale = excluded.scale, bytes = excluded.bytes` };

/** Vectors of a text that has changed since would be wrong, so they are dropped without a word: the record is embedded again anyway. */
export function* applyEmbed(
  work: CommitWork,
  { id, revision, vectors }: Extract<Change, { op: 'embed' }>,
): Steps<null> {
  const row = yield* find<{ kind: RecordKind }>(
    'SELECT kind FROM records WHERE space_id = $1 AND id = $2 AND revision = $3 AND deleted_at IS NULL',
    ...[work.space, id, revision],
  );
  if (row === undefined) return null;
  const added = yield* insertRows({ into: KEEP, space: work.space, rows: rowsOf(id, vectors) });
  if (added > 0) appendToFeed(work, { op: 'embedded', id, kind: row.kind, revision });
  work.revisions[id] = revision;
  return null;
}

/** The last of several for one passage and embedder counts: a statement may not touch a row twice. */
export function* replaceVectors(space: SpaceId, id: RecordId, vectors: readonly StoredVector[]): Steps<void> {
  const distinct = new Map(vectors.map((vector) => [`${vector.ordinal} ${vector.embedder}`, vector]));
  yield* sendRows({ into: REPLACE, space, rows: rowsOf(id, [...distinct.values()]) });
}

function rowsOf(id: RecordId, vectors: readonly StoredVector[]): SqlValue[][] {
  return vectors.map(({ ordinal, embedder, scale, bytes }) => [
    ...[id, ordinal, embedder, scale],
    new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  ]);
}

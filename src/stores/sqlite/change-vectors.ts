import type { Change } from '../../model/change.ts';
import type { RecordId } from '../../model/ids.ts';
import type { StoredVector } from '../../model/passage.ts';
import type { RecordKind } from '../../model/record.ts';
import type { CommitWork } from './commit.ts';
import { appendToFeed } from './feed.ts';

/** Vectors of a text that has changed since would be wrong, so they are dropped without a word: the record is embedded again anyway. */
export function applyEmbed(work: CommitWork, { id, revision, vectors }: Extract<Change, { op: 'embed' }>): null {
  const row = work.connection
    .statement('SELECT kind FROM records WHERE space_id = ? AND id = ? AND revision = ? AND deleted_at IS NULL')
    .get(work.space, id, revision) as { kind: RecordKind } | undefined;
  if (row === undefined) return null;
  let added = 0;
  for (const vector of vectors) added += insertVector(work, id, vector, 'keep');
  if (added > 0) appendToFeed(work, { op: 'embedded', id, kind: row.kind, revision });
  work.revisions[id] = revision;
  return null;
}

const INSERT =
  'INSERT INTO vectors (space_id, record_id, ordinal, embedder, scale, bytes) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO';
const ON_EXISTING = {
  keep: `${INSERT} NOTHING`,
  replace: `${INSERT} UPDATE SET scale = excluded.scale, bytes = excluded.bytes`,
};

/** Returns how many rows it wrote. */
export function insertVector(
  work: CommitWork,
  id: RecordId,
  vector: StoredVector,
  existing: keyof typeof ON_EXISTING,
): number {
  const written = work.connection
    .statement(ON_EXISTING[existing])
    .run(work.space, id, vector.ordinal, vector.embedder, vector.scale, vector.bytes);
  return Number(written.changes);
}

import type { Change } from '../../model/change.ts';
import type { RecordId } from '../../model/ids.ts';
import type { StoredVector } from '../../model/passage.ts';
import type { RecordKind } from '../../model/record.ts';
import type { CommitWork } from './commit.ts';
import { appendToFeed } from './feed.ts';
import { insertRows, type RowInsert, sendRows } from './insert-rows.ts';

/** Vectors of a text that has changed since would be wrong, so they are dropped without a word: the record is embedded again anyway. */
export async function applyEmbed(
  work: CommitWork,
  { id, revision, vectors }: Extract<Change, { op: 'embed' }>,
): Promise<null> {
  const { rows } = await work.session.query<{ kind: RecordKind }>(
    'SELECT kind FROM records WHERE space_id = $1 AND id = $2 AND revision = $3 AND deleted_at IS NULL',
    [work.space, id, revision],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const added = await insertRows(work.session, { ...insertOf(work, id, vectors), conflict: KEEP });
  if (added > 0) appendToFeed(work, { op: 'embedded', id, kind: row.kind, revision });
  work.revisions[id] = revision;
  return null;
}

const CONFLICT = 'ON CONFLICT (space_id, record_id, ordinal, embedder) DO';
const KEEP = `${CONFLICT} NOTHING`;
const REPLACE = `${CONFLICT} UPDATE SET scale = excluded.scale, bytes = excluded.bytes`;

/** The last of several for one passage and embedder counts: a statement may not touch a row twice. */
export function replaceVectors(work: CommitWork, id: RecordId, vectors: readonly StoredVector[]): void {
  const distinct = new Map(vectors.map((vector) => [`${vector.ordinal} ${vector.embedder}`, vector]));
  sendRows(work.session, { ...insertOf(work, id, [...distinct.values()]), conflict: REPLACE });
}

function insertOf(work: CommitWork, id: RecordId, vectors: readonly StoredVector[]): RowInsert {
  return {
    table: 'vectors',
    columns: ['record_id', 'ordinal', 'embedder', 'scale', 'bytes'],
    space: work.space,
    rows: vectors.map(({ ordinal, embedder, scale, bytes }) => [
      id,
      ordinal,
      embedder,
      scale,
      new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    ]),
  };
}

import type { RecordId, SpaceId } from '../../model/ids.ts';
import { type CheckedRow, isAsWritten, parseColumn } from './record-row.ts';
import { type Steps, send, sendRows } from './statements.ts';

const TAGS = { table: 'record_tags', columns: ['tag', 'record_id'] };

/** What records are found by; the record's own row has them, too. */
export function* writeTags(space: SpaceId, id: RecordId, tags: readonly string[]): Steps<void> {
  yield* sendRows({ into: TAGS, space, rows: [...new Set(tags)].map((tag) => [tag, id]) });
}

/** By what the row says: there need be no index of them by record. A row that is damaged is not believed. */
export function* removeTags(space: SpaceId, row: CheckedRow): Steps<void> {
  if (!isAsWritten(row)) return yield* removeAnyTags(space, row.id);
  const tags = parseColumn<string[]>(row.tags, row.id);
  if (tags.length > 0)
    yield* send(
      'DELETE FROM record_tags WHERE space_id = $1 AND record_id = $2 AND tag = ANY ($3::text[])',
      space,
      row.id,
      tags,
    );
}

/** Whatever they are: a database without an index by record goes through all tags of the space. */
export function* removeAnyTags(space: SpaceId, id: RecordId): Steps<void> {
  yield* send('DELETE FROM record_tags WHERE space_id = $1 AND record_id = $2', space, id);
}

import type { RecordId, Sequence, SpaceId } from '../../model/ids.ts';
import type { EmbedderId } from '../../model/passage.ts';
import { type Connection, readSnapshot } from './connection.ts';
import { readHead } from './feed.ts';

/** Past this many changes a look at all records costs no more than a look at the changed ones. */
const MAX_CHANGES = 5_000;

const LACKS_VECTOR = `
  deleted_at IS NULL AND EXISTS (
    SELECT 1 FROM passages WHERE passages.space_id = records.space_id AND passages.record_id = records.id AND NOT EXISTS (
      SELECT 1 FROM vectors
      WHERE vectors.space_id = passages.space_id AND vectors.record_id = passages.record_id AND vectors.ordinal = passages.ordinal AND vectors.embedder = ?))
  ORDER BY created_at, id LIMIT ?`;

export type ListUnembedded = (space: SpaceId, embedder: EmbedderId, limit: number) => RecordId[];

/**
 * Asked again and again in the background, mostly in vain. A vector can only be missing where the feed has moved, so once nothing was missing
 * at some number, only what changed after it is looked at.
 */
export function createListUnembedded(connection: Connection): ListUnembedded {
  const completeAt = new Map<string, Sequence>();
  return (space, embedder, limit) =>
    readSnapshot(connection, () => {
      const place = JSON.stringify([space, embedder]);
      const head = readHead(connection, space);
      const since = completeAt.get(place);
      const isNear = since !== undefined && head - since <= MAX_CHANGES;
      const rows = isNear
        ? selectChanged(connection, { space, embedder, limit, since })
        : selectAny(connection, { space, embedder, limit });
      if (rows.length === 0 && limit > 0) completeAt.set(place, head);
      return rows.map(({ id }) => id);
    });
}

interface Asked {
  space: SpaceId;
  embedder: EmbedderId;
  limit: number;
}

function selectAny(connection: Connection, { space, embedder, limit }: Asked): { id: RecordId }[] {
  return connection
    .statement(`SELECT id FROM records WHERE space_id = ? AND ${LACKS_VECTOR}`)
    .all(space, embedder, Math.max(0, limit)) as { id: RecordId }[];
}

function selectChanged(
  connection: Connection,
  { space, embedder, limit, since }: Asked & { since: Sequence },
): { id: RecordId }[] {
  return connection
    .statement(
      `SELECT id FROM records WHERE space_id = ? AND id IN (SELECT record_id FROM feed WHERE space_id = ? AND seq > ?) AND ${LACKS_VECTOR}`,
    )
    .all(space, space, since, embedder, Math.max(0, limit)) as { id: RecordId }[];
}

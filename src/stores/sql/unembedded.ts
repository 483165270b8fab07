import type { RecordId, Sequence, SpaceId } from '../../model/ids.ts';
import type { EmbedderId } from '../../model/passage.ts';
import { readHead } from './feed.ts';
import { type Steps, select } from './statements.ts';

/** Past this many changes a look at all records costs no more than a look at the changed ones. */
const MAX_CHANGES = 5_000;

const LACKS_VECTOR = `
  deleted_at IS NULL AND EXISTS (
    SELECT 1 FROM passages AS p WHERE p.space_id = $1 AND p.record_id = records.id AND NOT EXISTS (
      SELECT 1 FROM vectors AS v WHERE v.space_id = $1 AND v.record_id = p.record_id AND v.ordinal = p.ordinal AND v.embedder = $2))
  ORDER BY created_at, id LIMIT $3`;
const SELECT_ANY = `SELECT id FROM records WHERE space_id = $1 AND ${LACKS_VECTOR}`;
const SELECT_CHANGED = `SELECT id FROM records WHERE space_id = $1 AND id IN (SELECT record_id FROM feed WHERE space_id = $1 AND seq > $4) AND ${LACKS_VECTOR}`;

export type ListUnembedded = (space: SpaceId, embedder: EmbedderId, limit: number) => Steps<RecordId[]>;

/**
 * Asked again and again in the background, mostly in vain. A vector can only be missing where the feed has moved, so once nothing was missing
 * at some number, only what changed after it is looked at.
 */
export function createListUnembedded(): ListUnembedded {
  const completeAt = new Map<string, Sequence>();
  return function* listUnembedded(space, embedder, limit) {
    const place = JSON.stringify([space, embedder]);
    const head = yield* readHead(space);
    const since = completeAt.get(place);
    const values = [space, embedder, Math.max(0, limit)];
    const rows =
      since !== undefined && head - since <= MAX_CHANGES
        ? yield* select<{ id: RecordId }>(SELECT_CHANGED, ...values, since)
        : yield* select<{ id: RecordId }>(SELECT_ANY, ...values);
    if (rows.length === 0 && limit > 0) completeAt.set(place, head);
    return rows.map(({ id }) => id);
  };
}

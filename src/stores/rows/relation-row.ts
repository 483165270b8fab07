import type { Instant, RecordId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Relation } from '../../model/relation.ts';
import { parseColumn } from './parse-column.ts';

export type RelationRow = {
  from_id: RecordId;
  to_id: RecordId;
  type: string;
  weight: number;
  created_at: Instant;
  body: string;
};

export function toRelation({ from_id, to_id, type, weight, created_at, body }: RelationRow): Relation {
  return {
    from: from_id,
    to: to_id,
    type,
    weight,
    body: parseColumn<JsonObject>(body, from_id),
    createdAt: created_at,
  };
}

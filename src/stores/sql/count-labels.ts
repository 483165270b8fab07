import type { SpaceId } from '../../model/ids.ts';
import { type Steps, select } from './statements.ts';

export type Label = 'tag' | 'type' | 'project' | 'agent' | 'kind';
type LabelCount = { value: string; count: number };

/** All tags, less those of the few deleted records: both answered by an index alone. */
const COUNT_TAGS = `
  SELECT value, CAST(sum(n) AS bigint) AS count FROM (
    SELECT tag AS value, count(*) AS n FROM record_tags WHERE space_id = $1 GROUP BY tag
    UNION ALL
    SELECT t.tag, -count(*) FROM records AS r JOIN record_tags AS t ON t.space_id = r.space_id AND t.record_id = r.id
    WHERE r.space_id = $1 AND t.space_id = $1 AND r.deleted_at IS NOT NULL GROUP BY t.tag) AS counted
  GROUP BY value HAVING sum(n) > 0 ORDER BY count DESC, value`;

export function* countLabels(space: SpaceId, label: Label): Steps<LabelCount[]> {
  const sql =
    label === 'tag'
      ? COUNT_TAGS
      : `SELECT ${label} AS value, count(*) AS count FROM records
         WHERE space_id = $1 AND deleted_at IS NULL AND ${label} IS NOT NULL GROUP BY ${label} ORDER BY count DESC, value`;
  return [...(yield* select<LabelCount>(sql, space))];
}

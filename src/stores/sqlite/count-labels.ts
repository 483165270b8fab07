import type { SpaceId } from '../../model/ids.ts';
import type { Connection } from './connection.ts';

export type Label = 'tag' | 'type' | 'project' | 'agent' | 'kind';

/** All tags, less those of the few deleted records: both answered by an index alone. */
const COUNT_TAGS = `
  SELECT value, sum(n) AS count FROM (
    SELECT tag AS value, count(*) AS n FROM record_tags WHERE space_id = ?1 GROUP BY tag
    UNION ALL
    SELECT t.tag, -count(*) FROM records AS r JOIN record_tags AS t ON t.space_id = r.space_id AND t.record_id = r.id
    WHERE r.space_id = ?1 AND r.deleted_at IS NOT NULL GROUP BY t.tag)
  GROUP BY value HAVING count > 0 ORDER BY count DESC, value`;

export function countLabels(connection: Connection, space: SpaceId, label: Label): { value: string; count: number }[] {
  const sql =
    label === 'tag'
      ? COUNT_TAGS
      : `SELECT ${label} AS value, count(*) AS count FROM records
         WHERE space_id = ?1 AND deleted_at IS NULL AND ${label} IS NOT NULL GROUP BY ${label} ORDER BY count DESC, value`;
  const rows = connection.statement(sql).all(space) as { value: string; count: number }[];
  return rows.map(({ value, count }) => ({ value, count }));
}

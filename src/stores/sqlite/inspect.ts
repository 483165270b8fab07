import { statSync } from 'node:fs';
import type { SQLInputValue } from 'node:sqlite';
import type { StoreFacts } from '../../engine/ports.ts';
import type { SpaceId } from '../../model/ids.ts';
import { type Connection, IN_MEMORY, readSnapshot } from './connection.ts';
import { readHead } from './feed.ts';
import { SCHEMA_VERSION } from './migrate.ts';

/** Few records are deleted: counting all and taking theirs off is far cheaper than asking each whether it lives. */
const DELETED = 'r.space_id = ?1 AND r.deleted_at IS NOT NULL';

export function inspect(connection: Connection, space: SpaceId): StoreFacts {
  const count = (sql: string, ...values: SQLInputValue[]) =>
    Number(connection.statement(`SELECT ${sql}`).get(...values)?.n ?? 0);
  return readSnapshot(connection, () => ({
    store: 'sqlite',
    location: connection.path,
    records: count('count(*) AS n FROM records WHERE space_id = ? AND deleted_at IS NULL', space),
    deleted: count('count(*) AS n FROM records WHERE space_id = ? AND deleted_at IS NOT NULL', space),
    superseded: count(
      'count(*) AS n FROM records WHERE space_id = ? AND deleted_at IS NULL AND superseded_by IS NOT NULL',
      space,
    ),
    passages:
      count('count(*) AS n FROM passages WHERE space_id = ?', space) -
      count(
        `count(*) AS n FROM records AS r JOIN passages AS p ON p.space_id = r.space_id AND p.record_id = r.id WHERE ${DELETED}`,
        space,
      ),
    vectors: countVectors(connection, space),
    relations: count('count(*) AS n FROM relations WHERE space_id = ?', space),
    versions: count('count(*) AS n FROM record_versions WHERE space_id = ?', space),
    segments: count("count(*) AS n FROM segments WHERE space_id = ? AND state = 'live'", space),
    segmentBytes: count("sum(bytes) AS n FROM segments WHERE space_id = ? AND state = 'live'", space),
    head: readHead(connection, space),
    bytes: count('page_count * page_size AS n FROM pragma_page_count, pragma_page_size') + walBytes(connection.path),
    schemaVersion: SCHEMA_VERSION,
  }));
}

/** Of live records, like `passages`, so that the two can be compared. */
function countVectors(connection: Connection, space: SpaceId): StoreFacts['vectors'] {
  const rows = connection
    .statement(
      `SELECT embedder, sum(n) AS passages FROM (
         SELECT embedder, count(*) AS n FROM vectors WHERE space_id = ?1 GROUP BY embedder
         UNION ALL
         SELECT v.embedder, -count(*) FROM records AS r JOIN vectors AS v ON v.space_id = r.space_id AND v.record_id = r.id
         WHERE ${DELETED} GROUP BY v.embedder)
       GROUP BY embedder HAVING passages > 0 ORDER BY embedder`,
    )
    .all(space) as { embedder: string; passages: number }[];
  return rows.map(({ embedder, passages }) => ({ embedder, passages }));
}

function walBytes(path: string): number {
  return path === IN_MEMORY ? 0 : (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0);
}

import type { StoreFacts } from '../../engine/ports.ts';
import type { SpaceId } from '../../model/ids.ts';
import type { Session } from './database.ts';
import { readHead } from './feed.ts';
import { SCHEMA_VERSION } from './migrate.ts';

/** Few records are deleted: counting all and taking theirs off is far cheaper than asking each whether it lives. */
const DELETED = 'r.space_id = $1 AND r.deleted_at IS NOT NULL';

const COUNTS = {
  records: 'FROM records WHERE space_id = $1 AND deleted_at IS NULL',
  deleted: 'FROM records WHERE space_id = $1 AND deleted_at IS NOT NULL',
  superseded: 'FROM records WHERE space_id = $1 AND deleted_at IS NULL AND superseded_by IS NOT NULL',
  allPassages: 'FROM passages WHERE space_id = $1',
  deletedPassages: `FROM records AS r JOIN passages AS p ON p.space_id = r.space_id AND p.record_id = r.id WHERE ${DELETED} AND p.space_id = $1`,
  relations: 'FROM relations WHERE space_id = $1',
  versions: 'FROM record_versions WHERE space_id = $1',
  segments: "FROM segments WHERE space_id = $1 AND state = 'live'",
} as const;

export async function inspect(session: Session, space: SpaceId, location: string): Promise<StoreFacts> {
  const ask = async (sql: string) =>
    Number((await session.query<{ n: number | null }>(sql, sql.includes('$1') ? [space] : [])).rows[0]?.n ?? 0);
  const count = (what: keyof typeof COUNTS) => ask(`SELECT count(*) AS n ${COUNTS[what]}`);
  return {
    store: 'postgres',
    location,
    records: await count('records'),
    deleted: await count('deleted'),
    superseded: await count('superseded'),
    passages: (await count('allPassages')) - (await count('deletedPassages')),
    vectors: await countVectors(session, space),
    relations: await count('relations'),
    versions: await count('versions'),
    segments: await count('segments'),
    segmentBytes: await ask(`SELECT sum(bytes)::bigint AS n ${COUNTS.segments}`),
    head: await readHead(session, space),
    bytes: await ask(
      "SELECT sum(pg_total_relation_size(oid))::bigint AS n FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'",
    ),
    schemaVersion: SCHEMA_VERSION,
  };
}

/** Of live records, like `passages`, so that the two can be compared. */
async function countVectors(session: Session, space: SpaceId): Promise<StoreFacts['vectors']> {
  const { rows } = await session.query<{ embedder: string; passages: number }>(
    `SELECT embedder, sum(n)::bigint AS passages FROM (
       SELECT embedder, count(*) AS n FROM vectors WHERE space_id = $1 GROUP BY embedder
       UNION ALL
       SELECT v.embedder, -count(*) FROM records AS r JOIN vectors AS v ON v.space_id = r.space_id AND v.record_id = r.id
       WHERE ${DELETED} AND v.space_id = $1 GROUP BY v.embedder) AS counted
     GROUP BY embedder HAVING sum(n) > 0 ORDER BY embedder`,
    [space],
  );
  return rows;
}

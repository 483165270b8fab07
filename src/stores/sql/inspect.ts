import type { RowCounts } from '../../model/damage.ts';
import type { SpaceId } from '../../model/ids.ts';
import type { StoreFacts } from '../../model/store-facts.ts';
import { readHeadRow } from './feed.ts';
import { ALL_COUNTED, type CountedLabel } from './label-counts.ts';
import { type Steps, select, selectAll } from './statements.ts';

/** What an adapter knows of its database as a whole. */
export type DatabaseFacts = Pick<StoreFacts, 'store' | 'location' | 'bytes' | 'schemaVersion' | 'rowSecurity'>;

/** Few records are deleted: counting all and taking theirs off is far cheaper than asking each whether it lives. */
const DELETED = 'r.space_id = $1 AND r.deleted_at IS NOT NULL';

const COUNTS = {
  records: 'FROM records WHERE space_id = $1 AND deleted_at IS NULL',
  deleted: 'FROM records WHERE space_id = $1 AND deleted_at IS NOT NULL',
  superseded: 'FROM records WHERE space_id = $1 AND deleted_at IS NULL AND superseded_by IS NOT NULL',
  passages: 'FROM passages WHERE space_id = $1',
  deletedPassages: `FROM records AS r JOIN passages AS p ON p.space_id = r.space_id AND p.record_id = r.id WHERE ${DELETED} AND p.space_id = $1`,
  relations: 'FROM relations WHERE space_id = $1',
  versions: 'FROM record_versions WHERE space_id = $1',
  graves: 'FROM graves WHERE space_id = $1',
} as const;
const COUNTED = Object.keys(COUNTS) as (keyof typeof COUNTS)[];

/** Of live records, like `passages`, so that the two can be compared. */
const COUNT_VECTORS = `
  SELECT embedder, CAST(sum(n) AS bigint) AS passages FROM (
    SELECT embedder, count(*) AS n FROM vectors WHERE space_id = $1 GROUP BY embedder
    UNION ALL
    SELECT v.embedder, -count(*) FROM records AS r JOIN vectors AS v ON v.space_id = r.space_id AND v.record_id = r.id
    WHERE ${DELETED} AND v.space_id = $1 GROUP BY v.embedder) AS counted
  GROUP BY embedder HAVING sum(n) > 0 ORDER BY embedder`;

type Counted = Omit<StoreFacts, keyof DatabaseFacts | 'replica' | 'epoch' | 'segments' | 'segmentBytes' | 'head'>;

export function* inspect(space: SpaceId): Steps<Omit<StoreFacts, keyof DatabaseFacts | 'replica' | 'epoch'>> {
  const head = yield* readHeadRow(space);
  const isKept = head !== null && head.counts !== null && head.counted === ALL_COUNTED;
  const counted = isKept ? yield* readCounts(space, head.counts!) : yield* countAnew(space);
  const [segments] = yield* select<{ n: number; bytes: number | null }>(
    "SELECT count(*) AS n, CAST(sum(bytes) AS bigint) AS bytes FROM segments WHERE space_id = $1 AND state = 'live'",
    space,
  );
  return { ...counted, segments: segments?.n ?? 0, segmentBytes: segments?.bytes ?? 0, head: head?.seq ?? 0 };
}

/** What every commit has counted. */
function* readCounts(space: SpaceId, { records, live, versions, relations, graves }: RowCounts): Steps<Counted> {
  const rows = yield* select<{ label: CountedLabel; value: string; n: number }>(
    `SELECT label, value, CAST(sum(live) AS bigint) AS n FROM label_counts
     WHERE space_id = $1 AND label = ANY ($2::text[]) GROUP BY label, value HAVING sum(live) > 0 ORDER BY label, value`,
    space,
    ['superseded', 'passages', 'vectors'] satisfies CountedLabel[],
  );
  const countOf = (label: CountedLabel) => rows.find((row) => row.label === label)?.n ?? 0;
  const vectors = rows
    .filter(({ label }) => label === 'vectors')
    .map(({ value, n }) => ({ embedder: value, passages: n }));
  return {
    records: live,
    deleted: records - live,
    superseded: countOf('superseded'),
    passages: countOf('passages'),
    vectors,
    relations,
    versions,
    graves,
  };
}

function* countAnew(space: SpaceId): Steps<Counted> {
  const answers = yield* selectAll<{ n: number }[]>(
    ...COUNTED.map((what) => ({ sql: `SELECT count(*) AS n ${COUNTS[what]}`, values: [space] })),
  );
  const counts = Object.fromEntries(COUNTED.map((what, i) => [what, answers[i]?.[0]?.n ?? 0]));
  const { deletedPassages, ...counted } = counts as Record<keyof typeof COUNTS, number>;
  return {
    ...counted,
    passages: counted.passages - deletedPassages,
    vectors: [...(yield* select<StoreFacts['vectors'][number]>(COUNT_VECTORS, space))],
  };
}

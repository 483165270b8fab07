import type { Deletion, DeletionRange, Receipt } from '../../engine/ports.ts';
import type { Grave } from '../../model/change.ts';
import type { Instant, RecordId, Sequence, SpaceId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { RecordVersion, StoredRecord } from '../../model/record.ts';
import type { Relation } from '../../model/relation.ts';
import {
  parseColumn,
  RECORD_COLUMN_LIST,
  type RecordRow,
  type RelationRow,
  toRelation,
  toStoredRecord,
  toVersion,
  type VersionRow,
} from './record-row.ts';
import { find, type Statement, type Steps, select } from './statements.ts';

export function selectRecords(space: SpaceId, ids: readonly RecordId[]): Statement {
  return {
    sql: `SELECT ${RECORD_COLUMN_LIST} FROM records WHERE space_id = $1 AND id = ANY ($2::text[])`,
    values: [space, ids],
  };
}

export function* getRecords(space: SpaceId, ids: readonly RecordId[]): Steps<StoredRecord[]> {
  if (ids.length === 0) return [];
  const { sql, values } = selectRecords(space, ids);
  const found = new Map((yield* select<RecordRow>(sql, ...values)).map((row) => [row.id, toStoredRecord(row)]));
  return ids.map((id) => found.get(id)).filter((record) => record !== undefined);
}

export function* listVersions(space: SpaceId, id: RecordId): Steps<RecordVersion[]> {
  const rows = yield* select<VersionRow>(
    'SELECT dot, replaced_at, reason, state FROM record_versions WHERE space_id = $1 AND record_id = $2 ORDER BY revision DESC, dot',
    ...[space, id],
  );
  return rows.map((row) => toVersion(row, id));
}

export function* listRelations(space: SpaceId, ids: readonly RecordId[]): Steps<Relation[]> {
  const rows = yield* select<RelationRow>(
    `SELECT from_id, to_id, type, weight, created_at, body FROM relations
     WHERE space_id = $1 AND (from_id = ANY ($2::text[]) OR to_id = ANY ($2::text[]))
     ORDER BY from_id, to_id, type`,
    ...[space, ids],
  );
  return rows.map(toRelation);
}

export function* listGraves(space: SpaceId, after: RecordId | null, limit: number): Steps<Grave[]> {
  const rows = yield* select<{ record_id: RecordId; generation: number; purged_at: Instant }>(
    'SELECT record_id, generation, purged_at FROM graves WHERE space_id = $1 AND record_id > $2 ORDER BY record_id LIMIT $3',
    ...[space, after ?? '', Math.max(0, limit)],
  );
  return rows.map(({ record_id, generation, purged_at }) => ({ id: record_id, generation, purgedAt: purged_at }));
}

export function* findReceipt(space: SpaceId, key: string): Steps<Receipt | null> {
  const row = yield* find<{ fingerprint: string; answer: string }>(
    'SELECT fingerprint, answer FROM receipts WHERE space_id = $1 AND key = $2',
    ...[space, key],
  );
  return row === undefined ? null : { fingerprint: row.fingerprint, answer: parseColumn<JsonObject>(row.answer, key) };
}

/** In ascending order, so that a rebuild can go on where it stopped. */
export function* listIds(
  space: SpaceId,
  { after, limit, of = 'live' }: { after: RecordId | null; limit: number; of?: 'live' | 'all' },
): Steps<RecordId[]> {
  const life = of === 'all' ? '' : 'AND deleted_at IS NULL';
  const rows = yield* select<{ id: RecordId }>(
    `SELECT id FROM records WHERE space_id = $1 AND id > $2 ${life} ORDER BY id LIMIT $3`,
    ...[space, after ?? '', Math.max(0, limit)],
  );
  return rows.map(({ id }) => id);
}

const BEFORE_ALL: Deletion = { deletedAt: Number.MIN_SAFE_INTEGER, id: '' };

export function* listDeletions(
  space: SpaceId,
  { after = BEFORE_ALL, before = Number.MAX_SAFE_INTEGER, limit }: DeletionRange,
): Steps<Deletion[]> {
  const rows = yield* select<{ id: RecordId; deleted_at: Instant }>(
    `SELECT id, deleted_at FROM records
     WHERE space_id = $1 AND deleted_at IS NOT NULL AND (deleted_at, id) > ($2, $3) AND deleted_at < $4
     ORDER BY deleted_at, id LIMIT $5`,
    ...[space, after.deletedAt, after.id, before, Math.max(0, limit)],
  );
  return rows.map(({ id, deleted_at }) => ({ id, deletedAt: deleted_at }));
}

export function* listHeads(): Steps<{ space: SpaceId; head: Sequence }[]> {
  const rows = yield* select<{ space_id: SpaceId; seq: Sequence }>(
    'SELECT space_id, seq FROM feed_heads ORDER BY space_id',
  );
  return rows.map(({ space_id, seq }) => ({ space: space_id, head: seq }));
}

export function* listSpaces(): Steps<SpaceId[]> {
  const rows = yield* select<{ space_id: SpaceId }>('SELECT space_id FROM spaces ORDER BY space_id');
  return rows.map(({ space_id }) => space_id);
}

type Label = 'tag' | 'type' | 'project' | 'agent' | 'kind';
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

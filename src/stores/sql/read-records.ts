import type { Deletion, DeletionRange, Receipt } from '../../engine/ports.ts';
import type { Grave } from '../../model/change.ts';
import { type NoteDamage, refuseDamage } from '../../model/damage.ts';
import type { Instant, RecordId, Sequence, SpaceId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { RecordVersion, StoredRecord } from '../../model/record.ts';
import type { Relation, RelationEnds, RelationPage } from '../../model/relation.ts';
import {
  CHECKED_COLUMN_LIST,
  type CheckedRow,
  checksumVersion,
  parseColumn,
  type RelationRow,
  sumVersions,
  toRelation,
  toSoundRecord,
  toVersion,
  type VersionRow,
} from './record-row.ts';
import { find, type Statement, type Steps, select, selectAll } from './statements.ts';
import { GRAVES, matchesSum, RECEIPTS, RELATIONS, summedColumns } from './sums.ts';

export function selectRecords(space: SpaceId, ids: readonly RecordId[]): Statement {
  return {
    sql: `SELECT ${CHECKED_COLUMN_LIST} FROM records WHERE space_id = $1 AND id = ANY ($2::text[])`,
    values: [space, ids],
  };
}

export function* getRecords(
  space: SpaceId,
  ids: readonly RecordId[],
  note: NoteDamage = refuseDamage,
): Steps<StoredRecord[]> {
  if (ids.length === 0) return [];
  const { sql, values } = selectRecords(space, ids);
  const rows = yield* select<CheckedRow>(sql, ...values);
  const found = new Map(rows.map((row) => [row.id, toSoundRecord(row)]));
  const lost = rows.length < ids.length ? yield* findLost(space, { ids, found }) : [];
  for (const id of [...lost, ...found.keys()]) if ((found.get(id) ?? null) === null) note({ what: 'record', id });
  return ids.map((id) => found.get(id) ?? null).filter((record) => record !== null);
}

/** A record takes its passages with it when it goes: where they are without it, it has not gone but cannot be found. */
function* findLost(
  space: SpaceId,
  { ids, found }: { ids: readonly RecordId[]; found: ReadonlyMap<RecordId, unknown> },
): Steps<RecordId[]> {
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length === 0) return [];
  const rows = yield* select<{ record_id: RecordId }>(
    'SELECT DISTINCT record_id FROM passages WHERE space_id = $1 AND record_id = ANY ($2::text[])',
    space,
    missing,
  );
  return rows.map(({ record_id }) => record_id);
}

const SELECT_VERSIONS =
  'SELECT dot, replaced_at, reason, checksum, state FROM record_versions WHERE space_id = $1 AND record_id = $2';

export function* listVersions(space: SpaceId, id: RecordId, note: NoteDamage = refuseDamage): Steps<RecordVersion[]> {
  const values = [space, id];
  const [rows, [owner]] = yield* selectAll<[VersionRow, { versions_sum: number | null }]>(
    { sql: SELECT_VERSIONS, values },
    { sql: 'SELECT versions_sum FROM records WHERE space_id = $1 AND id = $2', values },
  );
  const versions: RecordVersion[] = [];
  for (const row of rows) {
    if (checksumVersion(row).equals(row.checksum)) versions.push(toVersion(row, id));
    else note({ what: 'version', id });
  }
  const sum = sumVersions(rows.map(({ checksum }) => checksum));
  if (versions.length === rows.length && sum !== (owner?.versions_sum ?? sum)) note({ what: 'version', id });
  return versions.sort((a, b) => b.record.revision - a.record.revision || (a.record.dot < b.record.dot ? -1 : 1));
}

export function* listReplaced(
  space: SpaceId,
  { since, after, limit }: { since: Instant; after: RecordId | null; limit: number },
): Steps<RecordId[]> {
  const rows = yield* select<{ record_id: RecordId }>(
    `SELECT DISTINCT record_id FROM record_versions
     WHERE space_id = $1 AND record_id > $2 AND replaced_at > $3 ORDER BY record_id LIMIT $4`,
    space,
    after ?? '',
    since,
    Math.max(0, limit),
  );
  return rows.map(({ record_id }) => record_id);
}

export function* listRelations(
  space: SpaceId,
  ids: readonly RecordId[],
  note: NoteDamage = refuseDamage,
): Steps<Relation[]> {
  const [rows, ends] = yield* selectAll<[RelationRow, Pick<RelationRow, 'from_id' | 'to_id' | 'type'>]>(
    {
      sql: `SELECT ${summedColumns(RELATIONS).join(', ')} FROM relations
            WHERE space_id = $1 AND (from_id = ANY ($2::text[]) OR to_id = ANY ($2::text[]))
            ORDER BY from_id, to_id, type`,
      values: [space, ids],
    },
    // From the index of their ends alone, which knows those too that cannot be found by where they begin.
    {
      sql: 'SELECT from_id, to_id, type FROM relations WHERE space_id = $1 AND to_id = ANY ($2::text[])',
      values: [space, ids],
    },
  );
  const keyOf = ({ from_id, to_id, type }: (typeof ends)[number]) => `${from_id} ${to_id} ${type}`;
  const found = new Set(rows.map(keyOf));
  for (const end of ends) if (!found.has(keyOf(end))) note({ what: 'relation', id: end.from_id });
  return keepSound(rows, note);
}

export function* relationsBetween(
  space: SpaceId,
  { from, to, note = refuseDamage }: RelationEnds & { note?: NoteDamage },
): Steps<Relation[]> {
  const rows = yield* select<RelationRow>(
    `SELECT ${summedColumns(RELATIONS).join(', ')} FROM relations
     WHERE space_id = $1 AND from_id = ANY ($2::text[]) AND to_id = ANY ($3::text[]) ORDER BY from_id, to_id, type`,
    space,
    from,
    to,
  );
  return keepSound(rows, note);
}

function keepSound(rows: readonly RelationRow[], note: NoteDamage): Relation[] {
  for (const row of rows) if (!matchesSum(row, RELATIONS)) note({ what: 'relation', id: row.from_id });
  return rows.filter((row) => matchesSum(row, RELATIONS)).map(toRelation);
}

export function* scanRelations(
  space: SpaceId,
  { after, limit, note = refuseDamage }: RelationPage & { note?: NoteDamage },
): Steps<Relation[]> {
  const rows = yield* select<RelationRow>(
    `SELECT ${summedColumns(RELATIONS).join(', ')} FROM relations
     WHERE space_id = $1 AND (from_id, to_id, type) > ($2, $3, $4) ORDER BY from_id, to_id, type LIMIT $5`,
    space,
    after?.from ?? '',
    after?.to ?? '',
    after?.type ?? '',
    Math.max(0, limit),
  );
  return keepSound(rows, note);
}

type GraveRow = { record_id: RecordId; generation: number; purged_at: Instant; crc: number | null };

export function* listGraves(
  space: SpaceId,
  { after, limit, note = refuseDamage }: { after: RecordId | null; limit: number; note?: NoteDamage },
): Steps<Grave[]> {
  const rows = yield* select<GraveRow>(
    `SELECT ${summedColumns(GRAVES).join(', ')} FROM graves WHERE space_id = $1 AND record_id > $2 ORDER BY record_id LIMIT $3`,
    space,
    after ?? '',
    Math.max(0, limit),
  );
  for (const row of rows) if (!matchesSum(row, GRAVES)) note({ what: 'grave', id: row.record_id });
  return rows
    .filter((row) => matchesSum(row, GRAVES))
    .map(({ record_id, generation, purged_at }) => ({ id: record_id, generation, purgedAt: purged_at }));
}

type ReceiptRow = { key: string; fingerprint: string; created_at: Instant; answer: string; crc: number | null };

export function* findReceipt(space: SpaceId, key: string): Steps<Receipt | null> {
  const row = yield* find<ReceiptRow>(
    `SELECT ${summedColumns(RECEIPTS).join(', ')} FROM receipts WHERE space_id = $1 AND key = $2`,
    space,
    key,
  );
  if (row === undefined) return null;
  if (!matchesSum(row, RECEIPTS)) refuseDamage({ what: 'receipt', id: key });
  return { fingerprint: row.fingerprint, answer: parseColumn<JsonObject>(row.answer, key) };
}

/** In ascending order, so that a rebuild can go on where it stopped. */
export function* listIds(
  space: SpaceId,
  { after, limit, of = 'live' }: { after: RecordId | null; limit: number; of?: 'live' | 'all' },
): Steps<RecordId[]> {
  const life = of === 'all' ? '' : 'AND deleted_at IS NULL';
  const rows = yield* select<{ id: RecordId }>(
    `SELECT id FROM records WHERE space_id = $1 AND id > $2 ${life} ORDER BY id LIMIT $3`,
    space,
    after ?? '',
    Math.max(0, limit),
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
    space,
    after.deletedAt,
    after.id,
    before,
    Math.max(0, limit),
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

import { refuseDamage } from '../../model/damage.ts';
import type { HeldOptions, HeldRecord, HeldRelation, HeldVersion } from '../../model/held-record.ts';
import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import { getRecords } from './read-records.ts';
import {
  checksumVersion,
  parseColumn,
  type RelationRow,
  toRelation,
  toVersion,
  type VersionRow,
} from './record-row.ts';
import { readStamps } from './stamp-writes.ts';
import { type Steps, select, selectAll } from './statements.ts';
import { LINKS, matchesSum, RELATIONS, summedColumns } from './sums.ts';

type OutRow = RelationRow & { to_generation: number };
type KeptVersion = VersionRow & { record_id: RecordId; feed_seq: number };
type GraveRow = { record_id: RecordId; generation: number; purged_at: Instant };

const SELECT_OUT = `SELECT ${summedColumns(RELATIONS)
  .map((column) => `l.${column}`)
  .join(', ')}, t.generation AS to_generation FROM relations AS l
  JOIN records AS t ON t.space_id = l.space_id AND t.id = l.to_id
  WHERE l.space_id = $1 AND t.space_id = $1 AND l.from_id = ANY ($2::text[])`;
const SELECT_VERSIONS = `SELECT record_id, dot, replaced_at, reason, checksum, state, feed_seq FROM record_versions
  WHERE space_id = $1 AND record_id = ANY ($2::text[])`;
const SELECT_GRAVES =
  'SELECT record_id, generation, purged_at FROM graves WHERE space_id = $1 AND record_id = ANY ($2::text[])';

/** All that is kept under these ids, in this order; damaged parts are told and left out. */
export function* readHeld(
  space: SpaceId,
  ids: readonly RecordId[],
  { note = refuseDamage, versions: hasVersions = true }: HeldOptions = {},
): Steps<HeldRecord[]> {
  const records = new Map((yield* getRecords(space, ids, note)).map((record) => [record.id, record]));
  const stamps = yield* readStamps(space, ids);
  const values = [space, ids];
  const [out, versions, graves] = yield* selectAll<[OutRow, KeptVersion, GraveRow]>(
    { sql: SELECT_OUT, values },
    { sql: SELECT_VERSIONS, values: hasVersions ? values : [space, []] },
    { sql: SELECT_GRAVES, values },
  );
  const relationsBy = Map.groupBy(out, ({ from_id }) => from_id);
  const versionsBy = Map.groupBy(versions, ({ record_id }) => record_id);
  const gravesBy = new Map(graves.map((grave) => [grave.record_id, grave]));
  return ids.map((id) => ({
    id,
    record: records.get(id) ?? null,
    stamps: stamps.get(id)?.state ?? null,
    buried: gravesBy.get(id)?.generation ?? 0,
    purgedAt: gravesBy.get(id)?.purged_at ?? null,
    relations: (relationsBy.get(id) ?? []).filter((row) => matchesSum(row, RELATIONS)).map(toHeldRelation),
    versions: (versionsBy.get(id) ?? []).filter((row) => checksumVersion(row).equals(row.checksum)).map(toHeldVersion),
  }));
}

function toHeldRelation(row: OutRow): HeldRelation {
  return { ...toRelation(row), toGeneration: row.to_generation };
}

function toHeldVersion(row: KeptVersion): HeldVersion {
  return { ...toVersion(row, row.record_id), seq: row.feed_seq };
}

/** Every id of which anything is known, in ascending order. */
export function* listHeldIds(
  space: SpaceId,
  { after, limit }: { after: RecordId | null; limit: number },
): Steps<RecordId[]> {
  const values = [space, after ?? '', limit];
  const from = (table: string, column: string) => ({
    sql: `SELECT ${column} AS id FROM ${table} WHERE space_id = $1 AND ${column} > $2 ORDER BY ${column} LIMIT $3`,
    values,
  });
  type Row = { id: RecordId };
  const found = yield* selectAll<[Row, Row, Row]>(
    from('records', 'id'),
    from('stamps', 'record_id'),
    from('graves', 'record_id'),
  );
  return [...new Set(found.flatMap((rows) => rows.map(({ id }) => id)))].sort().slice(0, limit);
}

type LinkRow = { name: string; state: string; crc: number | null };

/** One that is damaged counts as not there: the exchange begins anew. */
export function* listLinks(space: SpaceId): Steps<{ name: string; state: JsonObject }[]> {
  const rows = yield* select<LinkRow>(
    `SELECT ${summedColumns(LINKS).join(', ')} FROM sync_links WHERE space_id = $1 ORDER BY name`,
    space,
  );
  return rows
    .filter((row) => matchesSum(row, LINKS))
    .map(({ name, state }) => ({ name, state: parseColumn<JsonObject>(state, name) }));
}

import type { Receipt } from '../../engine/ports.ts';
import type { RecordId, Sequence, SpaceId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { RecordVersion, StoredRecord } from '../../model/record.ts';
import type { Relation } from '../../model/relation.ts';
import { parseColumn } from '../rows/parse-column.ts';
import { nameValues, RECORD_COLUMNS, type RecordValues, toStoredRecord } from '../rows/record-row.ts';
import { type RelationRow, toRelation } from '../rows/relation-row.ts';
import { toVersion, type VersionRow } from '../rows/version-row.ts';
import type { Connection } from './connection.ts';

/** So many ids are handed over one by one, which takes half the time that a list of them takes. A page of hits has ten. */
const FEW_IDS = 10;
const SELECT_FEW = `SELECT ${RECORD_COLUMNS} FROM records WHERE space_id = ? AND id IN (${Array(FEW_IDS).fill('?').join(', ')})`;
const SELECT_MANY = `SELECT ${RECORD_COLUMNS} FROM records WHERE space_id = ? AND id IN (SELECT value FROM json_each(?))`;

export function getRecords(connection: Connection, space: SpaceId, ids: readonly RecordId[]): StoredRecord[] {
  if (ids.length === 0) return [];
  const isFew = ids.length <= FEW_IDS;
  const statement = connection.statement(isFew ? SELECT_FEW : SELECT_MANY);
  // Naming the values here takes half the time that the driver takes for it.
  statement.setReturnArrays(true);
  const wanted = isFew ? [...ids, ...Array<RecordId>(FEW_IDS - ids.length).fill(ids[0]!)] : [JSON.stringify(ids)];
  const rows: unknown[] = statement.all(space, ...wanted);
  const found = new Map((rows as RecordValues[]).map((values) => [values[1], toStoredRecord(nameValues(values))]));
  return ids.map((id) => found.get(id)).filter((record) => record !== undefined);
}

export function listVersions(connection: Connection, space: SpaceId, id: RecordId): RecordVersion[] {
  const rows = connection
    .statement(
      'SELECT replaced_at, reason, state FROM record_versions WHERE space_id = ? AND record_id = ? ORDER BY revision DESC',
    )
    .all(space, id) as VersionRow[];
  return rows.map((row) => toVersion(row, id));
}

export function listRelations(connection: Connection, space: SpaceId, ids: readonly RecordId[]): Relation[] {
  const rows = connection
    .statement(
      `SELECT from_id, to_id, type, weight, created_at, body FROM relations
       WHERE space_id = ?1 AND (from_id IN (SELECT value FROM json_each(?2)) OR to_id IN (SELECT value FROM json_each(?2)))
       ORDER BY from_id, to_id, type`,
    )
    .all(space, JSON.stringify(ids)) as RelationRow[];
  return rows.map(toRelation);
}

export function findReceipt(connection: Connection, space: SpaceId, key: string): Receipt | null {
  const row = connection
    .statement('SELECT fingerprint, answer FROM receipts WHERE space_id = ? AND key = ?')
    .get(space, key) as { fingerprint: string; answer: string } | undefined;
  return row === undefined ? null : { fingerprint: row.fingerprint, answer: parseColumn<JsonObject>(row.answer, key) };
}

/** In ascending order, so that a rebuild can go on where it stopped. */
export function listIds(
  connection: Connection,
  space: SpaceId,
  { after, limit }: { after: RecordId | null; limit: number },
): RecordId[] {
  const rows = connection
    .statement('SELECT id FROM records WHERE space_id = ? AND id > ? AND deleted_at IS NULL ORDER BY id LIMIT ?')
    .all(space, after ?? '', Math.max(0, limit)) as { id: RecordId }[];
  return rows.map(({ id }) => id);
}

export function listHeads(connection: Connection): { space: SpaceId; head: Sequence }[] {
  const rows = connection
    .statement('SELECT id, ifnull(seq, 0) AS seq FROM spaces LEFT JOIN feed_heads ON space_id = id ORDER BY id')
    .all() as {
    id: SpaceId;
    seq: Sequence;
  }[];
  return rows.map(({ id, seq }) => ({ space: id, head: seq }));
}

export function listSpaces(connection: Connection): SpaceId[] {
  const rows = connection.statement('SELECT id FROM spaces ORDER BY id').all() as { id: SpaceId }[];
  return rows.map(({ id }) => id);
}

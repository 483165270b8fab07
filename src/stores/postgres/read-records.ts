import type { Receipt } from '../../engine/ports.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { RecordVersion, StoredRecord } from '../../model/record.ts';
import type { Relation } from '../../model/relation.ts';
import { parseColumn } from '../rows/parse-column.ts';
import { RECORD_COLUMNS, type RecordRow, toStoredRecord } from '../rows/record-row.ts';
import { type RelationRow, toRelation } from '../rows/relation-row.ts';
import { toVersion, type VersionRow } from '../rows/version-row.ts';
import type { Session } from './database.ts';

export async function getRecords(session: Session, space: SpaceId, ids: readonly RecordId[]): Promise<StoredRecord[]> {
  const { rows } = await session.query<RecordRow>(
    `SELECT ${RECORD_COLUMNS} FROM records WHERE space_id = $1 AND id = ANY ($2::text[])`,
    [space, ids],
  );
  const found = new Map(rows.map((row) => [row.id, toStoredRecord(row)]));
  return ids.map((id) => found.get(id)).filter((record) => record !== undefined);
}

export async function listVersions(session: Session, space: SpaceId, id: RecordId): Promise<RecordVersion[]> {
  const { rows } = await session.query<VersionRow>(
    'SELECT replaced_at, reason, state FROM record_versions WHERE space_id = $1 AND record_id = $2 ORDER BY revision DESC',
    [space, id],
  );
  return rows.map((row) => toVersion(row, id));
}

export async function listRelations(session: Session, space: SpaceId, ids: readonly RecordId[]): Promise<Relation[]> {
  const { rows } = await session.query<RelationRow>(
    `SELECT from_id, to_id, type, weight, created_at, body FROM relations
     WHERE space_id = $1 AND (from_id = ANY ($2::text[]) OR to_id = ANY ($2::text[]))
     ORDER BY from_id, to_id, type`,
    [space, ids],
  );
  return rows.map(toRelation);
}

export async function findReceipt(session: Session, space: SpaceId, key: string): Promise<Receipt | null> {
  const { rows } = await session.query<{ fingerprint: string; answer: string }>(
    'SELECT fingerprint, answer FROM receipts WHERE space_id = $1 AND key = $2',
    [space, key],
  );
  const [row] = rows;
  return row === undefined ? null : { fingerprint: row.fingerprint, answer: parseColumn<JsonObject>(row.answer, key) };
}

/** In ascending order, so that a rebuild can go on where it stopped. */
export async function listIds(
  session: Session,
  space: SpaceId,
  { after, limit }: { after: RecordId | null; limit: number },
): Promise<RecordId[]> {
  const { rows } = await session.query<{ id: RecordId }>(
    'SELECT id FROM records WHERE space_id = $1 AND id > $2 AND deleted_at IS NULL ORDER BY id LIMIT $3',
    [space, after ?? '', Math.max(0, limit)],
  );
  return rows.map(({ id }) => id);
}

export async function listSpaces(session: Session): Promise<SpaceId[]> {
  const { rows } = await session.query<{ space_id: SpaceId }>('SELECT space_id FROM spaces ORDER BY space_id');
  return rows.map(({ space_id }) => space_id);
}

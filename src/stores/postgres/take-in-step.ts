import { randomUUID } from 'node:crypto';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { Row, TransferStep } from '../../model/transfer.ts';
import { RECORD_TABLES, RELATION_TABLE, SIDE_TABLES, type TransferTable } from '../transfer-tables.ts';
import type { Session, Value } from './database.ts';
import { makeSpace, writeHead } from './feed.ts';
import { sendRows } from './insert-rows.ts';

/** Runs inside a transaction; does no harm when it runs again after it has been committed. */
export async function takeInStep(session: Session, space: SpaceId, step: TransferStep): Promise<void> {
  await makeSpace(session, space, step.spaceCreatedAt);
  if (step.records !== undefined) await takeInRecords(session, space, step.records);
  if (step.relations !== undefined) await takeInRelations(session, space, step.relations);
  if (step.feed !== undefined) takeInFeed(session, space, step.feed);
  if (step.side !== undefined) await takeInSide(session, space, step.side);
  session.send(
    'INSERT INTO transfer_progress (space_id, state) VALUES ($1, $2) ON CONFLICT (space_id) DO UPDATE SET state = excluded.state',
    [space, JSON.stringify(step.progress)],
  );
  await session.settle();
}

/** The record's own row is replaced and not removed first: relations of other records that end at it would go with it. */
async function takeInRecords(
  session: Session,
  space: SpaceId,
  { ids, rows }: NonNullable<TransferStep['records']>,
): Promise<void> {
  const records = rows.records ?? [];
  const present = new Set(records.map(({ id }) => id));
  const gone = ids.filter((id) => !present.has(id));
  if (gone.length > 0) session.send('DELETE FROM records WHERE space_id = $1 AND id = ANY ($2::text[])', [space, gone]);
  for (const { name } of RECORD_TABLES.slice(1))
    session.send(`DELETE FROM ${name} WHERE space_id = $1 AND record_id = ANY ($2::text[])`, [space, ids]);
  await freeKeys(session, space, { ids, records });
  for (const table of RECORD_TABLES) insert(session, space, { table, rows: rows[table.name] ?? [] });
  await session.settle();
}

/** A key may have gone from one record to another since; whoever holds it here follows later, by its own entry in the feed. */
async function freeKeys(
  session: Session,
  space: SpaceId,
  { ids, records }: { ids: readonly RecordId[]; records: readonly Row[] },
): Promise<void> {
  session.send('UPDATE records SET key = NULL WHERE space_id = $1 AND id = ANY ($2::text[]) AND key IS NOT NULL', [
    space,
    ids,
  ]);
  const wanted = new Set(records.filter(({ key, deleted_at }) => key !== null && deleted_at === null).map(placeOf));
  if (wanted.size === 0) return;
  const keys = records.map(({ key }) => key).filter((key) => typeof key === 'string');
  const { rows } = await session.query<{ id: RecordId; kind: string; project: string | null; key: string }>(
    'SELECT id, kind, project, key FROM records WHERE space_id = $1 AND key = ANY ($2::text[]) AND deleted_at IS NULL',
    [space, keys],
  );
  const holders = rows.filter((row) => wanted.has(placeOf(row))).map(({ id }) => id);
  if (holders.length > 0)
    session.send('UPDATE records SET key = NULL WHERE space_id = $1 AND id = ANY ($2::text[])', [space, holders]);
}

function placeOf({ kind, project, key }: Row): string {
  return JSON.stringify([kind, project ?? '', key]);
}

async function takeInRelations(
  session: Session,
  space: SpaceId,
  { ids, rows }: NonNullable<TransferStep['relations']>,
): Promise<void> {
  const relations = rows.relations ?? [];
  session.send('DELETE FROM relations WHERE space_id = $1 AND from_id = ANY ($2::text[])', [space, ids]);
  const here = await findPresent(
    session,
    space,
    relations.flatMap(({ from_id, to_id }) => [String(from_id), String(to_id)]),
  );
  insert(session, space, {
    table: RELATION_TABLE,
    rows: relations.filter(({ from_id, to_id }) => here.has(String(from_id)) && here.has(String(to_id))),
  });
}

function takeInFeed(session: Session, space: SpaceId, entries: NonNullable<TransferStep['feed']>): void {
  const commitId = randomUUID();
  sendRows(session, {
    table: 'feed',
    columns: ['seq', 'at', 'op', 'record_id', 'kind', 'revision', 'actor', 'commit_id'],
    conflict: 'ON CONFLICT (space_id, seq) DO NOTHING',
    space,
    rows: entries.map(({ seq, at, op, id, kind, revision, actor }) => [
      seq,
      at,
      op,
      id,
      kind,
      revision,
      actor,
      commitId,
    ]),
  });
  const last = entries.at(-1);
  if (last !== undefined) writeHead(session, space, last.seq);
}

async function takeInSide(
  session: Session,
  space: SpaceId,
  { part, after, to, rows }: NonNullable<TransferStep['side']>,
): Promise<void> {
  const [{ name, by }] = SIDE_TABLES[part] as [TransferTable];
  const range = to === null ? `${by} > $2` : `${by} > $2 AND ${by} <= $3`;
  session.send(`DELETE FROM ${name} WHERE space_id = $1 AND ${range}`, [
    space,
    after ?? '',
    ...(to === null ? [] : [to]),
  ]);
  const reads = rows.read_statistics ?? [];
  const here = await findPresent(
    session,
    space,
    reads.map(({ record_id }) => String(record_id)),
  );
  for (const table of SIDE_TABLES[part]) {
    const all = rows[table.name] ?? [];
    insert(session, space, {
      table,
      rows: part === 'reads' ? all.filter(({ record_id }) => here.has(String(record_id))) : all,
    });
  }
}

async function findPresent(session: Session, space: SpaceId, ids: readonly RecordId[]): Promise<Set<RecordId>> {
  if (ids.length === 0) return new Set();
  const { rows } = await session.query<{ id: RecordId }>(
    'SELECT id FROM records WHERE space_id = $1 AND id = ANY ($2::text[])',
    [space, [...new Set(ids)]],
  );
  return new Set(rows.map(({ id }) => id));
}

function insert(
  session: Session,
  space: SpaceId,
  { table, rows }: { table: TransferTable; rows: readonly Row[] },
): void {
  const { name, columns } = table;
  const update = columns.map((column) => `${column} = excluded.${column}`).join(', ');
  const conflict = name === 'records' ? `ON CONFLICT (space_id, id) DO UPDATE SET ${update}` : '';
  sendRows(session, {
    table: name,
    columns,
    conflict,
    space,
    rows: rows.map((row) => columns.map((column): Value => row[column] ?? null)),
  });
}

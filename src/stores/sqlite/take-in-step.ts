import type { SQLInputValue } from 'node:sqlite';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { Row, TransferStep } from '../../model/transfer.ts';
import { RECORD_TABLES, RELATION_TABLE, SIDE_TABLES, type TransferTable } from '../transfer-tables.ts';
import type { Connection } from './connection.ts';
import { writeHead } from './feed.ts';

/** Runs inside a transaction. */
export function takeInStep(connection: Connection, space: SpaceId, step: TransferStep): void {
  connection
    .statement('INSERT INTO spaces (id, created_at) VALUES (?, ?) ON CONFLICT DO NOTHING')
    .run(space, step.spaceCreatedAt);
  connection.statement('INSERT INTO feed_heads (space_id, seq) VALUES (?, 0) ON CONFLICT DO NOTHING').run(space);
  if (step.records !== undefined) takeInRecords(connection, space, step.records);
  if (step.relations !== undefined) takeInRelations(connection, space, step.relations);
  if (step.feed !== undefined) takeInFeed(connection, space, step.feed);
  if (step.side !== undefined) takeInSide(connection, space, step.side);
  connection
    .statement(
      'INSERT INTO transfer_progress (space_id, state) VALUES (?, ?) ON CONFLICT DO UPDATE SET state = excluded.state',
    )
    .run(space, JSON.stringify(step.progress));
}

/** The record's own row is replaced and not removed first: relations of other records that end at it would go with it. */
function takeInRecords(
  connection: Connection,
  space: SpaceId,
  { ids, rows }: NonNullable<TransferStep['records']>,
): void {
  const records = rows.records ?? [];
  freeKeys(connection, space, { ids, records });
  const present = new Set(records.map(({ id }) => id));
  for (const id of ids) {
    if (!present.has(id)) connection.statement('DELETE FROM records WHERE space_id = ? AND id = ?').run(space, id);
    for (const { name } of RECORD_TABLES.slice(1))
      connection.statement(`DELETE FROM ${name} WHERE space_id = ? AND record_id = ?`).run(space, id);
  }
  for (const table of RECORD_TABLES)
    insert(connection, space, { table, rows: rows[table.name] ?? [], replace: table.name === 'records' });
}

/** A key may have gone from one record to another since; whoever holds it here follows later, by its own entry in the feed. */
function freeKeys(
  connection: Connection,
  space: SpaceId,
  { ids, records }: { ids: readonly RecordId[]; records: readonly Row[] },
): void {
  for (const id of ids)
    connection.statement('UPDATE records SET key = NULL WHERE space_id = ? AND id = ?').run(space, id);
  for (const { kind, project, key, deleted_at } of records) {
    if (key === null || deleted_at !== null) continue;
    connection
      .statement(
        "UPDATE records SET key = NULL WHERE space_id = ? AND kind = ? AND ifnull(project, '') = ? AND key = ? AND deleted_at IS NULL",
      )
      .run(space, kind as string, (project as string | null) ?? '', key as string);
  }
}

function takeInRelations(
  connection: Connection,
  space: SpaceId,
  { ids, rows }: NonNullable<TransferStep['relations']>,
): void {
  for (const id of ids) connection.statement('DELETE FROM relations WHERE space_id = ? AND from_id = ?').run(space, id);
  const isHere = connection.statement('SELECT 1 FROM records WHERE space_id = ? AND id = ?');
  const complete = (rows.relations ?? []).filter(({ from_id, to_id }) =>
    [from_id, to_id].every((id) => isHere.get(space, id as string) !== undefined),
  );
  insert(connection, space, { table: RELATION_TABLE, rows: complete });
}

function takeInFeed(connection: Connection, space: SpaceId, entries: NonNullable<TransferStep['feed']>): void {
  const add = connection.statement(
    'INSERT INTO feed (space_id, seq, at, op, record_id, kind, revision, actor) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  for (const { seq, at, op, id, kind, revision, actor } of entries)
    add.run(space, seq, at, op, id, kind, revision, actor);
  const last = entries.at(-1);
  if (last !== undefined) writeHead(connection, space, last.seq);
}

function takeInSide(
  connection: Connection,
  space: SpaceId,
  { part, after, to, rows }: NonNullable<TransferStep['side']>,
): void {
  const [{ name, by }] = SIDE_TABLES[part] as [TransferTable];
  const range = to === null ? `${by} > ?` : `${by} > ? AND ${by} <= ?`;
  connection
    .statement(`DELETE FROM ${name} WHERE space_id = ? AND ${range}`)
    .run(space, after ?? '', ...(to === null ? [] : [to]));
  const isHere = connection.statement('SELECT 1 FROM records WHERE space_id = ? AND id = ?');
  for (const table of SIDE_TABLES[part]) {
    const all = rows[table.name] ?? [];
    const fitting =
      part === 'reads' ? all.filter(({ record_id }) => isHere.get(space, record_id as string) !== undefined) : all;
    insert(connection, space, { table, rows: fitting });
  }
}

function insert(
  connection: Connection,
  space: SpaceId,
  { table, rows, replace = false }: { table: TransferTable; rows: readonly Row[]; replace?: boolean },
): void {
  const { name, columns } = table;
  const update = replace
    ? `ON CONFLICT DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`
    : '';
  const statement = connection.statement(
    `INSERT INTO ${name} (space_id, ${columns.join(', ')}) VALUES (?, ${columns.map(() => '?').join(', ')}) ${update}`,
  );
  for (const row of rows) statement.run(space, ...columns.map((column) => row[column] as SQLInputValue));
}

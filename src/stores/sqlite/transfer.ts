import type { SQLInputValue } from 'node:sqlite';
import type { Transfer } from '../../engine/ports.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Row, RowSet } from '../../model/transfer.ts';
import { parseColumn } from '../rows/parse-column.ts';
import {
  IDENTITY_TABLES,
  OWN_SECRETS,
  RECORD_TABLES,
  RELATION_TABLE,
  SIDE_TABLES,
  type TransferTable,
} from '../transfer-tables.ts';
import { type Connection, readSnapshot } from './connection.ts';
import { retryWhileBusy } from './retry-while-busy.ts';
import { takeInStep } from './take-in-step.ts';
import type { WriterQueue } from './writer-queue.ts';

export function createTransfer(connection: Connection, queue: WriterQueue): Transfer {
  return {
    listAllIds: (space, after, limit) =>
      retryWhileBusy(() => {
        const rows = connection
          .statement('SELECT id FROM records WHERE space_id = ? AND id > ? ORDER BY id LIMIT ?')
          .all(space, after ?? '', limit);
        return (rows as { id: RecordId }[]).map(({ id }) => id);
      }),
    readRecordRows: (space, ids, what) =>
      retryWhileBusy(() =>
        readSnapshot(connection, () =>
          readTables(connection, space, { tables: what === 'records' ? RECORD_TABLES : [RELATION_TABLE], keys: ids }),
        ),
      ),
    readSideRows: (space, part, { after, limit }) =>
      retryWhileBusy(() =>
        readSnapshot(connection, () => {
          const [{ name, by }] = SIDE_TABLES[part] as [TransferTable];
          const found = connection
            .statement(`SELECT ${by} AS place FROM ${name} WHERE space_id = ? AND ${by} > ? ORDER BY ${by} LIMIT ?`)
            .all(space, after ?? '', limit);
          const places = (found as { place: string }[]).map(({ place }) => place);
          return {
            rows: readTables(connection, space, { tables: SIDE_TABLES[part], keys: places }),
            last: places.at(-1) ?? null,
          };
        }),
      ),
    readSpaceAge: (space) =>
      retryWhileBusy(() =>
        Number(connection.statement('SELECT created_at FROM spaces WHERE id = ?').get(space)?.created_at ?? 0),
      ),
    readIdentityRows: () => retryWhileBusy(() => readSnapshot(connection, () => readIdentities(connection))),
    readProgress: (space) =>
      retryWhileBusy(() => {
        const state = connection.statement('SELECT state FROM transfer_progress WHERE space_id = ?').get(space)?.state;
        return state === undefined ? null : parseColumn<JsonObject>(String(state), space);
      }),
    takeIn: (space, step) =>
      queue.write(() => ({ keep: true, value: takeInStep(connection, space, step) }), {
        weight: Number.MAX_SAFE_INTEGER,
      }),
    takeInIdentities: (rows) =>
      queue.write(() => ({ keep: true, value: replaceIdentities(connection, rows) }), {
        weight: Number.MAX_SAFE_INTEGER,
      }),
  };
}

function readTables(
  connection: Connection,
  space: SpaceId,
  { tables, keys }: { tables: readonly TransferTable[]; keys: readonly string[] },
): RowSet {
  const read = ({ name, by, columns }: TransferTable): Row[] =>
    connection
      .statement(
        `SELECT ${columns.join(', ')} FROM ${name} WHERE space_id = ? AND ${by} IN (SELECT value FROM json_each(?)) ORDER BY ${columns.join(', ')}`,
      )
      .all(space, JSON.stringify(keys)) as Row[];
  return Object.fromEntries(tables.map((table) => [table.name, read(table)]));
}

function readIdentities(connection: Connection): RowSet {
  const read = ({ name, columns }: TransferTable) =>
    connection.statement(`SELECT ${columns.join(', ')} FROM ${name} ORDER BY ${columns.join(', ')}`).all() as Row[];
  return Object.fromEntries(IDENTITY_TABLES.map((table) => [table.name, read(table)]));
}

function replaceIdentities(connection: Connection, rows: RowSet): void {
  const kept = OWN_SECRETS.map((name) => `'${name}'`).join(', ');
  for (const { name } of IDENTITY_TABLES.toReversed())
    connection.exec(`DELETE FROM ${name} ${name === 'server_secrets' ? `WHERE name NOT IN (${kept})` : ''}`);
  for (const { name, columns } of IDENTITY_TABLES) {
    const insert = connection.statement(
      `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    );
    for (const row of rows[name] ?? []) {
      if (name === 'server_secrets' && OWN_SECRETS.some((own) => own === row.name)) continue;
      insert.run(...columns.map((column) => row[column] as SQLInputValue));
    }
  }
}

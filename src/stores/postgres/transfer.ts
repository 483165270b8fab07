import { randomUUID } from 'node:crypto';
import type { Transfer } from '../../engine/ports.ts';
import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
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
import type { Session, Value } from './database.ts';
import { takeInStep } from './take-in-step.ts';
import type { Transactions } from './transactions.ts';

/** Rows of one INSERT. */
const AT_ONCE = 64;

export function createTransfer({ read, write }: Transactions): Transfer {
  return {
    listAllIds: (space, after, limit) =>
      read({ space }, async (session) => {
        const sql = 'SELECT id FROM records WHERE space_id = $1 AND id > $2 ORDER BY id LIMIT $3';
        return (await session.query<{ id: RecordId }>(sql, [space, after ?? '', limit])).rows.map(({ id }) => id);
      }),
    readRecordRows: (space, ids, what) =>
      read({ space }, (session) =>
        readTables(session, space, { tables: what === 'records' ? RECORD_TABLES : [RELATION_TABLE], keys: ids }),
      ),
    readSideRows: (space, part, { after, limit }) =>
      read({ space }, async (session) => {
        const [{ name, by }] = SIDE_TABLES[part] as [TransferTable];
        const sql = `SELECT ${by} AS place FROM ${name} WHERE space_id = $1 AND ${by} > $2 ORDER BY ${by} LIMIT $3`;
        const places = (await session.query<{ place: string }>(sql, [space, after ?? '', limit])).rows.map(
          ({ place }) => place,
        );
        return {
          rows: await readTables(session, space, { tables: SIDE_TABLES[part], keys: places }),
          last: places.at(-1) ?? null,
        };
      }),
    readSpaceAge: (space) =>
      read(
        { space },
        async (session) =>
          (await session.query<{ created_at: Instant }>('SELECT created_at FROM spaces WHERE space_id = $1', [space]))
            .rows[0]?.created_at ?? 0,
      ),
    readIdentityRows: () => read('no_space', readIdentities),
    readProgress: (space) =>
      read({ space }, async (session) => {
        const { rows } = await session.query<{ state: string }>(
          'SELECT state FROM transfer_progress WHERE space_id = $1',
          [space],
        );
        return rows[0] === undefined ? null : parseColumn<JsonObject>(rows[0].state, space);
      }),
    takeIn: (space, step) => write({ space }, (session) => takeInStep(session, space, step)),
    takeInIdentities: (rows) => write('no_space', (session) => replaceIdentities(session, rows)),
  };
}

async function readTables(
  session: Session,
  space: SpaceId,
  { tables, keys }: { tables: readonly TransferTable[]; keys: readonly string[] },
): Promise<RowSet> {
  const read = async ({ name, by, columns }: TransferTable) => {
    const { rows } = await session.query<Row>(
      `SELECT ${columns.join(', ')} FROM ${name} WHERE space_id = $1 AND ${by} = ANY ($2::text[])`,
      [space, keys],
    );
    return [name, rows] as const;
  };
  return Object.fromEntries(await Promise.all(tables.map(read)));
}

async function readIdentities(session: Session): Promise<RowSet> {
  const read = async ({ name, columns }: TransferTable) =>
    [name, (await session.query<Row>(`SELECT ${columns.join(', ')} FROM ${name}`)).rows] as const;
  return Object.fromEntries(await Promise.all(IDENTITY_TABLES.map(read)));
}

async function replaceIdentities(session: Session, given: RowSet): Promise<void> {
  for (const { name } of IDENTITY_TABLES.toReversed()) {
    if (name === 'server_secrets')
      session.send('DELETE FROM server_secrets WHERE name <> ALL ($1::text[])', [OWN_SECRETS]);
    else session.send(`DELETE FROM ${name}`);
  }
  const changeId = randomUUID();
  for (const { name, columns } of IDENTITY_TABLES) {
    const rows = (given[name] ?? []).filter(
      (row) => name !== 'server_secrets' || !OWN_SECRETS.some((own) => own === row.name),
    );
    const marked = name === 'audit' ? rows.map((row) => ({ ...row, change_id: changeId })) : rows;
    insert(session, { name, columns: name === 'audit' ? [...columns, 'change_id'] : columns, rows: marked });
    await session.settle();
  }
}

function insert(
  session: Session,
  { name, columns, rows }: { name: string; columns: readonly string[]; rows: readonly Row[] },
): void {
  for (let start = 0; start < rows.length; start += AT_ONCE) {
    const batch = rows.slice(start, start + AT_ONCE);
    const lists = batch.map((_, row) => `(${columns.map((_, i) => `$${row * columns.length + i + 1}`).join(', ')})`);
    const values = batch.flatMap((row) => columns.map((column): Value => row[column] ?? null));
    session.send(`INSERT INTO ${name} (${columns.join(', ')}) VALUES ${lists.join(', ')}`, values);
  }
}

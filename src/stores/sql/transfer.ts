import type { Transfer } from '../../engine/ports.ts';
import type { Instant, ReplicaId, SpaceId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Row, RowSet } from '../../model/transfer.ts';
import { parseColumn } from '../rows/parse-column.ts';
import type { SqlDatabase } from './sql-database.ts';
import { type Steps, select, selectAll, send, sendRows } from './statements.ts';
import { takeInStep } from './take-in-step.ts';
import {
  IDENTITY_TABLES,
  OWN_SECRETS,
  RECORD_TABLES,
  RELATION_TABLE,
  SIDE_TABLES,
  type TransferTable,
  valuesOf,
} from './transfer-tables.ts';

/** A step fills a transaction of its own. */
const ALONE = { weight: Number.MAX_SAFE_INTEGER };

export function createTransfer(database: SqlDatabase, replica: ReplicaId): Transfer {
  const { read, write } = database;
  return {
    replica,
    readRecordRows: (space, ids, what) =>
      read({ space }, () => readTables(space, what === 'records' ? RECORD_TABLES : [RELATION_TABLE], ids)),
    readSideRows: (space, part, { after, limit }) =>
      read({ space }, function* () {
        const [{ name, by }] = SIDE_TABLES[part];
        const sql = `SELECT ${by} AS place FROM ${name} WHERE space_id = $1 AND ${by} > $2 ORDER BY ${by} LIMIT $3`;
        const places = (yield* select<{ place: string }>(sql, space, after ?? '', limit)).map(({ place }) => place);
        return { rows: yield* readTables(space, SIDE_TABLES[part], places), last: places.at(-1) ?? null };
      }),
    readIdentityRows: () => read('no_space', () => readIdentities()),
    readState: (space) => read({ space }, () => readState(space)),
    takeIn: (space, step) => write({ space }, () => takeInStep(space, step, database.newMark()), ALONE),
    takeInIdentities: (rows) => write('no_space', () => replaceIdentities(rows, database.newMark()), ALONE),
  };
}

function* readState(space: SpaceId): Steps<{ createdAt: Instant; progress: JsonObject | null }> {
  const values = [space];
  const [[age], [progress]] = yield* selectAll<[{ created_at: Instant }, { state: string }]>(
    { sql: 'SELECT created_at FROM spaces WHERE space_id = $1', values },
    { sql: 'SELECT state FROM transfer_progress WHERE space_id = $1', values },
  );
  return {
    createdAt: age?.created_at ?? 0,
    progress: progress === undefined ? null : parseColumn<JsonObject>(progress.state, space),
  };
}

function* readTables(space: SpaceId, tables: readonly TransferTable[], keys: readonly string[]): Steps<RowSet> {
  const statements = tables.map(({ name, by, columns }) => ({
    sql: `SELECT ${columns.join(', ')} FROM ${name} WHERE space_id = $1 AND ${by} = ANY ($2::text[])`,
    values: [space, keys],
  }));
  const answers = yield* selectAll<Row[]>(...statements);
  return Object.fromEntries(tables.map(({ name }, i) => [name, answers[i]!]));
}

function* readIdentities(): Steps<RowSet> {
  const answers = yield* selectAll<Row[]>(
    ...IDENTITY_TABLES.map(({ name, columns }) => ({ sql: `SELECT ${columns.join(', ')} FROM ${name}`, values: [] })),
  );
  return Object.fromEntries(IDENTITY_TABLES.map(({ name }, i) => [name, answers[i]!]));
}

function* replaceIdentities(given: RowSet, mark: string | null): Steps<void> {
  for (const { name } of IDENTITY_TABLES.toReversed()) {
    if (name === 'server_secrets') yield* send('DELETE FROM server_secrets WHERE name <> $1', ...OWN_SECRETS);
    else yield* send(`DELETE FROM ${name}`);
  }
  for (const { name, columns } of IDENTITY_TABLES) {
    const rows = (given[name] ?? []).filter(
      (row) => name !== 'server_secrets' || !OWN_SECRETS.includes(String(row.name)),
    );
    const marks = name === 'audit' && mark !== null ? { change_id: mark } : {};
    yield* sendRows({
      into: { table: name, columns: [...columns, ...Object.keys(marks)] },
      space: null,
      rows: rows.map((row) => [...valuesOf(row, columns), ...Object.values(marks)]),
    });
  }
}

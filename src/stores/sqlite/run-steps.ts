import type { Answer, Request, RowInsert, SqlValue, Statement, Steps } from '../sql/statements.ts';
import type { Connection } from './connection.ts';
import { type SqliteText, translateSql } from './translate-sql.ts';

type Cell = string | number | null | Uint8Array;

/** So many values of a list are handed over one by one, which takes half the time that a list takes. A page of hits has ten. */
const FEW = 10;

const NOTHING: readonly Answer[] = [];

export function runSteps<T>(connection: Connection, steps: Steps<T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next(answer(connection, step.value));
  return step.value;
}

function answer(connection: Connection, request: Request): readonly Answer[] {
  // One process writes at a time: whoever is here has every lock.
  if ('lock' in request) return NOTHING;
  if ('insert' in request) return [{ rows: [], count: insertAll(connection, request.insert) }];
  if (request.wants === 'rows') return request.statements.map((statement) => selectAll(connection, statement));
  return request.statements.map((statement) => {
    const { sql, values } = bind(statement);
    return { rows: [], count: Number(connection.statement(sql).run(...values).changes) };
  });
}

/** Naming the columns here takes less time than the driver takes for it. */
function selectAll(connection: Connection, asked: Statement): Answer {
  const { sql, values } = bind(asked);
  const { statement, columns } = connection.unnamed(sql);
  const found: unknown[] = statement.all(...values);
  const rows = (found as Cell[][]).map((cells) => {
    const row: Record<string, Cell> = {};
    for (let i = 0; i < columns.length; i++) row[columns[i]!] = cells[i]!;
    return row;
  });
  return { rows, count: rows.length };
}

function insertAll(connection: Connection, { table, columns, conflict = '', space, rows }: RowInsert): number {
  const names = space === null ? columns : ['space_id', ...columns];
  const statement = connection.statement(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) ${conflict}`,
  );
  const own = space === null ? [] : [space];
  let count = 0;
  for (const row of rows) count += Number(statement.run(...own, ...(row as readonly Cell[])).changes);
  return count;
}

function bind({ sql, values }: Statement): { sql: string; values: Cell[] } {
  const text = translateSql(sql, FEW);
  if (text.list === null) return { sql: text.many, values: values as Cell[] };
  return bindList(text, values);
}

/** A list goes in as one JSON value, so that statements stay few; a short one value by value, filled up with its first. */
function bindList({ many, few, list }: SqliteText, values: readonly SqlValue[]): { sql: string; values: Cell[] } {
  const items = values[list! - 1] as readonly Cell[];
  const isFew = few !== null && items.length > 0 && items.length <= FEW;
  const cells = values.map((value, i): Cell => {
    if (!Array.isArray(value)) return value as Cell;
    return isFew && i === list! - 1 ? items[0]! : JSON.stringify(value);
  });
  if (!isFew) return { sql: many, values: cells };
  const filled = Array.from({ length: FEW - 1 }, (_, i) => items[i + 1] ?? items[0]!);
  return { sql: few, values: [...cells, ...filled] };
}

import type { PlainAnswer, PlainSql, PlainStatement, PlainValue, Steps } from '../identity/plain-sql.ts';
import type { Connection } from './connection.ts';
import { retryWhileBusy } from './retry-while-busy.ts';
import type { WriterQueue } from './writer-queue.ts';

export function openPlainSql(connection: Connection, queue: WriterQueue): PlainSql {
  return {
    select: <Row>(sql: string, ...values: PlainValue[]) =>
      retryWhileBusy(() => answer(connection, { sql, values, wants: 'rows' }).rows as Row[]),
    change: (sql, ...values) =>
      queue.write(() => ({ keep: true, value: answer(connection, { sql, values, wants: 'count' }).count })),
  };
}

export function runSteps<T>(connection: Connection, steps: Steps<T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next(answer(connection, step.value));
  return step.value;
}

/** SQLite numbers its values as ?1, ?2 … */
function answer(connection: Connection, { sql, values, wants }: PlainStatement): PlainAnswer {
  const statement = connection.statement(sql.replaceAll('$', '?'));
  return wants === 'rows'
    ? { rows: statement.all(...values), count: 0 }
    : { rows: [], count: Number(statement.run(...values).changes) };
}

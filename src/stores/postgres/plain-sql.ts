import type { PlainSql, Steps } from '../identity/plain-sql.ts';
import type { Session } from './database.ts';
import type { Transactions } from './transactions.ts';

export function openPlainSql({ read, write }: Transactions): PlainSql {
  return {
    select: async <Row>(sql: string, ...values: (string | number | null)[]) =>
      (await read('no_space', (session) => session.query<Row>(sql, values))).rows,
    change: async (sql, ...values) => (await write('no_space', (session) => session.query(sql, values))).count,
  };
}

export async function runSteps<T>(session: Session, steps: Steps<T>): Promise<T> {
  let step = steps.next();
  while (step.done !== true) step = steps.next(await session.query(step.value.sql, step.value.values));
  return step.value;
}

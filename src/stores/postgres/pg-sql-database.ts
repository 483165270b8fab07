import { randomUUID } from 'node:crypto';
import type { SqlDatabase } from '../sql/sql-database.ts';
import { runSteps } from './run-steps.ts';
import type { Transactions } from './transactions.ts';

export function createSqlDatabase({ read, write }: Transactions): SqlDatabase {
  return {
    read: (sight, work) => read(sight, (session) => runSteps(session, work())),
    write: (sight, work, { keeps } = {}) => write(sight, (session) => runSteps(session, work()), keeps),
    async tryWrite(sight, work) {
      await write(sight, (session) => runSteps(session, work()));
      return true;
    },
    newMark: () => randomUUID(),
  };
}

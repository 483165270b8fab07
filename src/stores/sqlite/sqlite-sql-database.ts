import type { SqlDatabase } from '../sql/sql-database.ts';
import { type Connection, readSnapshot } from './connection.ts';
import { retryWhileBusy } from './retry-while-busy.ts';
import { runSteps } from './run-steps.ts';
import type { WriterQueue } from './writer-queue.ts';

/** A file has no walls between its spaces: what may be seen is decided by the statements alone. */
export function createSqlDatabase(connection: Connection, queue: WriterQueue, longestWaitMs: number): SqlDatabase {
  return {
    read: (_sight, work) =>
      retryWhileBusy(() => readSnapshot(connection, () => runSteps(connection, work())), longestWaitMs),
    write: (_sight, work, { keeps = () => true, ...options } = {}) =>
      queue.write(() => {
        const value = runSteps(connection, work());
        return { keep: keeps(value), value };
      }, options),
    tryWrite: async (_sight, work) => queue.tryWrite(() => void runSteps(connection, work())),
    newMark: () => null,
  };
}

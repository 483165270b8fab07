import { EngineError } from '../../model/errors.ts';
import { paceTurn } from '../../model/turn.ts';
import type { HeldMoment } from '../sql/snapshot-store.ts';
import { type Connection, openConnection } from './connection.ts';
import { runSteps } from './run-steps.ts';
import { retryWhileBusy, translateError } from './translate-error.ts';

/**
 * A transaction of a connection of its own, which everybody else writes past; until it ends, the write-ahead log keeps what they write. Null where a second
 * connection could not see one state for long: a file that may only be read, a full disk.
 */
export async function holdMoment(
  path: string,
  longestWaitMs: number,
): Promise<(HeldMoment & { connection: Connection }) | null> {
  const connection = await retryWhileBusy(() => begin(path), longestWaitMs);
  if (connection === null) return null;
  return {
    connection,
    async read(_sight, work) {
      await paceTurn();
      if (!connection.database.isTransaction) throw lost();
      try {
        return runSteps(connection, work());
      } catch (error) {
        throw translateError(error);
      }
    },
    release: async () => connection.close(),
  };
}

function begin(path: string): Connection | null {
  const connection = openConnection(path);
  try {
    if (!connection.isAlone) {
      connection.exec('BEGIN');
      // Only the first read decides which state it is.
      connection.statement('SELECT count(*) FROM sqlite_master').get();
      return connection;
    }
  } catch (error) {
    connection.close();
    throw error;
  }
  connection.close();
  return null;
}

function lost(): EngineError {
  return new EngineError('busy', 'The state of the database that was being read could not be kept.', {
    hint: 'Run the command again.',
  });
}

import type { Movable, Store } from '../../engine/ports.ts';
import { EngineError } from '../../model/errors.ts';
import type { ReadCounter } from './read-counter.ts';
import { createSqlStore, type SqlStoreParts } from './sql-store.ts';
import type { SqlDatabase } from './statements.ts';

/** A moment of the database, which somebody keeps for us. */
export interface HeldMoment {
  read: SqlDatabase['read'];
  release(): Promise<void>;
}

const UNCOUNTED: ReadCounter = { count: () => undefined, flush: async () => undefined, close: async () => undefined };

/** A store that answers from the moment alone; what would write is refused. */
export function createSnapshotStore(parts: Omit<SqlStoreParts, 'reads'>, moment: HeldMoment): Store & Movable {
  const { pieceBytes, newMark } = parts.database;
  const database: SqlDatabase = { pieceBytes, newMark, read: moment.read, write: refuse, tryWrite: refuse };
  return {
    ...createSqlStore({ ...parts, database, reads: UNCOUNTED }),
    commit: refuse,
    eraseTraces: refuse,
    backup: refuse,
    watch: () => () => undefined,
    close: moment.release,
  };
}

async function refuse(): Promise<never> {
  throw new EngineError('storage_read_only', 'A snapshot of the database cannot be written to.');
}

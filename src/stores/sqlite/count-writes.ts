import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../engine/ports.ts';
import { type Connection, IN_MEMORY } from './connection.ts';
import { createWriteMarks, type WriteMark } from './write-marks.ts';

/** Numbers transactions, and keeps the number of the last one beside the database. */
export interface WriteCounter {
  /** Within the transaction, right before its end; nothing where it has written nothing. */
  count(connection: Connection): void;
  /** The disk has it, and nobody was told yet. */
  keep(): void;
  /** After the connection was closed. */
  close(): void;
}

const COUNT = 'UPDATE replica SET writes = writes + 1, written_at = ?1 WHERE total_changes() IS NOT ?2';

export function createWriteCounter(path: string, clock: Clock): WriteCounter {
  if (path === IN_MEMORY) return { count() {}, keep() {}, close() {} };
  const marks = createWriteMarks(path);
  let counted: Omit<WriteMark, 'log'> | null = null;
  /** How many changes a connection had made when a transaction was last counted, that count included. */
  const seen = new WeakMap<DatabaseSync, number>();
  return {
    count(connection) {
      const { database } = connection;
      const before = seen.get(database) ?? null;
      const at = clock.now();
      // What wrote nothing costs nothing: it is not counted either.
      if (connection.statement(COUNT).run(at, before).changes === 0) return;
      // A RETURNING would take three times as long as the two together.
      const row = connection.statement('SELECT id, writes, total_changes() AS changes FROM replica').get();
      seen.set(database, Number(row?.changes));
      counted = row === undefined ? null : { replica: String(row.id), writes: Number(row.writes), at };
    },
    keep() {
      if (counted !== null) marks.note(counted);
      counted = null;
    },
    close: marks.close,
  };
}

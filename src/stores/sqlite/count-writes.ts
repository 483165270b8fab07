import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../engine/ports.ts';
import { type Connection, IN_MEMORY } from './connection.ts';
import { createWriteMarks, type WriteMark } from './write-marks.ts';

/** Numbers transactions, and keeps the number of the last one beside the database. */
export interface WriteCounter {
  /** Within the transaction, right before its end; nothing where it has written nothing. */
  count(): void;
  /** The disk has it, and nobody was told yet. */
  keep(): void;
  /** After the connection was closed. */
  close(): void;
}

const COUNT = 'UPDATE replica SET writes = writes + 1, written_at = ?1 WHERE total_changes() IS NOT ?2';

export function createWriteCounter(connection: Connection, clock: Clock): WriteCounter {
  if (connection.path === IN_MEMORY) return { count() {}, keep() {}, close() {} };
  const marks = createWriteMarks(connection.path);
  let counted: Omit<WriteMark, 'log'> | null = null;
  /** How many changes the connection had made when a transaction was last counted, that count included. */
  let seen: { database: DatabaseSync; changes: number } | null = null;
  return {
    count() {
      const { database } = connection;
      const before = seen?.database === database ? seen.changes : null;
      const at = clock.now();
      // What wrote nothing costs nothing: it is not counted either.
      if (connection.statement(COUNT).run(at, before).changes === 0) return;
      // A RETURNING would take three times as long as the two together.
      const row = connection.statement('SELECT id, writes, total_changes() AS changes FROM replica').get();
      seen = { database, changes: Number(row?.changes) };
      counted = row === undefined ? null : { replica: String(row.id), writes: Number(row.writes), at };
    },
    keep() {
      if (counted !== null) marks.note(counted);
      counted = null;
    },
    close: marks.close,
  };
}

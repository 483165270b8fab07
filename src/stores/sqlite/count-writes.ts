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

export function createWriteCounter(connection: Connection, clock: Clock): WriteCounter {
  if (connection.path === IN_MEMORY) return { count() {}, keep() {}, close() {} };
  const marks = createWriteMarks(connection.path);
  let counted: Omit<WriteMark, 'log'> | null = null;
  /** How many changes the connection had made when a transaction was last counted, that count included. */
  let seen: { database: DatabaseSync; changes: number } | null = null;
  return {
    count() {
      const { database } = connection;
      const changes = Number(connection.statement('SELECT total_changes() AS n').get()?.n);
      // What wrote nothing costs nothing: it is not counted either.
      if (seen?.database === database && seen.changes === changes) return;
      const at = clock.now();
      connection.statement('UPDATE replica SET writes = writes + 1, written_at = ?').run(at);
      seen = { database, changes: changes + 1 };
      // A RETURNING would take three times as long as the two together.
      const row = connection.statement('SELECT id, writes FROM replica').get();
      counted = row === undefined ? null : { replica: String(row.id), writes: Number(row.writes), at };
    },
    keep() {
      if (counted !== null) marks.note(counted);
      counted = null;
    },
    close: marks.close,
  };
}

import type { Clock } from '../../engine/ports.ts';
import { type Connection, IN_MEMORY } from './connection.ts';
import { createWriteMarks, type WriteMark } from './write-marks.ts';

/** Numbers transactions, and keeps the number of the last one beside the database. */
export interface WriteCounter {
  /** Within the transaction, right before its end. */
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
  return {
    count() {
      const at = clock.now();
      const row = connection
        .statement('UPDATE replica SET writes = writes + 1, written_at = ? RETURNING id, writes')
        .get(at);
      counted = row === undefined ? null : { replica: String(row.id), writes: Number(row.writes), at };
    },
    keep() {
      if (counted !== null) marks.note(counted);
      counted = null;
    },
    close: marks.close,
  };
}

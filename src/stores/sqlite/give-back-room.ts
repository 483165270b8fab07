import type { Connection } from './connection.ts';
import type { WriterQueue } from './writer-queue.ts';

/** Pages moved in one transaction: a few milliseconds, so that others get their turn. */
const AT_ONCE = 100;
/** A share of the file that is worth the work, and what stays for what is written next. */
const WORTH_IT = 0.02;
const KEPT = 0.005;
/** SQLite's number for a file whose pages can be moved. Those made by releases before 0.2 cannot, unless they are written anew as a whole. */
const INCREMENTAL = 2;

/**
 * Pages that pruned changes, merged segments and purged records have left go back to the disk: pages from the end of the file take their place. Returns how
 * many. Nothing is done where they are few.
 */
export async function giveBackRoom(connection: Connection, queue: WriterQueue): Promise<number> {
  if (readPragma(connection, 'auto_vacuum') !== INCREMENTAL) return 0;
  const before = readPragma(connection, 'page_count');
  if (readPragma(connection, 'freelist_count') < WORTH_IT * before) return 0;
  for (let free = readPragma(connection, 'freelist_count'); free > KEPT * before; ) {
    await queue.write(() => moveSome(connection), { weight: Number.MAX_SAFE_INTEGER, frees: true });
    const left = readPragma(connection, 'freelist_count');
    // Others free pages meanwhile: they get their own round.
    if (left >= free) break;
    free = left;
  }
  return before - readPragma(connection, 'page_count');
}

function moveSome(connection: Connection): { keep: true; value: null } {
  connection.exec(`PRAGMA incremental_vacuum(${AT_ONCE})`);
  return { keep: true, value: null };
}

function readPragma(connection: Connection, name: 'auto_vacuum' | 'page_count' | 'freelist_count'): number {
  return Number(connection.statement(`PRAGMA ${name}`).get()?.[name]);
}

import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '../../model/errors.ts';

/** Primary result codes of SQLite that we tell apart. */
const ERROR = 1;
const PERM = 3;
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
/** Losing the race for a WAL lock many times in a row; as passing as BUSY. */
const PROTOCOL = 15;
const TOOBIG = 18;
const NOTADB = 26;
/** The shared-memory file could not grow: the usual face of a full disk in WAL mode. */
const IOERR_SHMSIZE = 4874;

const SPENT = new Set([READONLY, IOERR, CORRUPT, FULL, NOTADB, PERM, 7 /* NOMEM */]);

function resultCode(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : null;
}

function primaryCode(error: unknown): number | null {
  const code = resultCode(error);
  return code === null ? null : code & 0xff;
}

/** Another connection is in the way for the moment. */
export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === BUSY || code === LOCKED || code === PROTOCOL;
}

/** The whole transaction is lost, not only the statement that failed. */
export function endsTransaction(error: unknown): boolean {
  const code = primaryCode(error);
  return code !== null && SPENT.has(code);
}

/** After a failed write or fsync nothing that the connection remembers of the file can be relied on. */
export function needsReopen(error: unknown): boolean {
  return primaryCode(error) === IOERR;
}

export function isOutOfRoom(error: unknown): boolean {
  return primaryCode(error) === FULL || resultCode(error) === IOERR_SHMSIZE;
}

export function isMalformed(error: unknown): boolean {
  return primaryCode(error) === CORRUPT;
}

export function isNotDatabase(error: unknown): boolean {
  return primaryCode(error) === NOTADB;
}

type Words = readonly [code: EngineError['code'], message: string, hint?: string];

const BUSY_NOW: Words = ['busy', 'Another program is using the database.', 'Try again in a moment.'];
const DISK_FULL: Words = [
  'storage_full',
  'The disk is full; nothing was written.',
  'Free some space, then try again. What was stored before is safe.',
];
const NO_WRITING: Words = [
  'storage_read_only',
  'The database cannot be written to.',
  'Check the permissions of the file and of its folder.',
];
const DAMAGED: Words = [
  'storage_damaged',
  'The database file is damaged, or is not a database.',
  'Run `ltm doctor`; restore a backup if it cannot repair the file. Nothing was changed.',
];
const NO_PLACE: Words = [
  'storage_unsupported',
  'The database cannot be stored at this path.',
  'Give the path of a file.',
];
const REFUSED: Words = ['internal', 'The database refused a statement.'];
const UNEXPECTED: Words = ['internal', 'The store failed unexpectedly.'];

const RESULT_WORDS: Readonly<Record<number, Words>> = {
  [READONLY]: NO_WRITING,
  [PERM]: NO_WRITING,
  [CORRUPT]: DAMAGED,
  [NOTADB]: DAMAGED,
  [IOERR]: [
    'storage_damaged',
    'The disk reported an error while the database was read or written.',
    'Check the disk and the system log, then run `ltm doctor`.',
  ],
  [CANTOPEN]: [
    'storage_read_only',
    'The database file could not be opened.',
    'Check that the folder exists and that you may write to it.',
  ],
  [TOOBIG]: ['too_large', 'A value is too large for the database.'],
};

const SYSTEM_WORDS: Readonly<Record<string, Words>> = {
  ENOSPC: DISK_FULL,
  EDQUOT: DISK_FULL,
  EACCES: NO_WRITING,
  EPERM: NO_WRITING,
  EROFS: NO_WRITING,
  ENOTDIR: NO_PLACE,
  EISDIR: NO_PLACE,
  ENAMETOOLONG: NO_PLACE,
  ERR_INVALID_STATE: ['internal', 'The store is closed.'],
};

/** Our statements name what the migrations made: where SQLite does not know it, its own description of the tables is not what was written. */
const UNKNOWN_NAME = /^no such (?:column|table|index)/;

/** The one place where errors of SQLite and of the file system become ours. */
export function translateError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const [[code, message, hint], details] = describe(error);
  return new EngineError(code, message, { hint, details, cause: error });
}

function describe(error: unknown): [Words, Record<string, string | number | null>] {
  const code = primaryCode(error);
  if (code === null) {
    const system = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
    return [SYSTEM_WORDS[system] ?? UNEXPECTED, { system }];
  }
  const details = { sqlite: resultCode(error) };
  if (isBusy(error)) return [BUSY_NOW, details];
  if (code === ERROR && error instanceof Error && UNKNOWN_NAME.test(error.message)) return [DAMAGED, details];
  return [isOutOfRoom(error) ? DISK_FULL : (RESULT_WORDS[code] ?? REFUSED), details];
}

/** SQLite itself never waits here (busy timeout 0), since that would stop the event loop; we wait between tries instead. */
export const LONGEST_WAIT_MS = 30_000;

/** 1 to 25 ms: short against the few milliseconds a write takes, jittered so that waiting processes do not try in step. */
export async function waitBeforeRetry(): Promise<void> {
  await sleep(1 + Math.random() * 24);
}

/** Runs synchronous work again while another process is in its way. Throws EngineErrors only. */
export async function retryWhileBusy<T>(work: () => T, longestWaitMs: number = LONGEST_WAIT_MS): Promise<T> {
  const start = performance.now();
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() - start > longestWaitMs) throw translateError(error);
    }
    await waitBeforeRetry();
  }
}

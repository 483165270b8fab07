import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '../../model/errors.ts';

const TRY_AGAIN = 'Try again in a moment.';

/** SQLSTATE, where the server itself has spoken. */
export function sqlState(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  return /^[0-9A-Z]{5}$/.test(error.code) && /\d/.test(error.code) ? error.code : null;
}

function systemCode(error: unknown): string | null {
  if (error instanceof AggregateError) return systemCode(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

const LOST_STATES = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '25P04', '53300']);
const LOST_SYSTEM_CODES = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'ERR_STREAM_DESTROYED',
]);
/** `pg` gives these no code. */
const LOST_MESSAGES =
  /^Connection terminated|^timeout exceeded when trying to connect|is not queryable$|^Client was closed|^Query read timeout|^timeout expired/;

/** PgBouncer says everything with the same code (08P01); these do not pass. */
const POOLER_REFUSALS: readonly [RegExp, string][] = [
  [/authentication failed|no such user/i, '28P01'],
  [/^database .* does not exist|no such database/i, '3D000'],
];

/** The code that PostgreSQL itself would have given, where a pooler refuses to connect; else the error's own. */
function stateOf(error: unknown): string | null {
  const state = sqlState(error);
  if (state !== '08P01' || !(error instanceof Error)) return state;
  return POOLER_REFUSALS.find(([words]) => words.test(error.message))?.[1] ?? state;
}

/** The connection is gone, or none could be had: whatever was not committed by then has not happened. */
export function isConnectionLost(error: unknown): boolean {
  const state = stateOf(error);
  if (state !== null) return state.startsWith('08') || LOST_STATES.has(state);
  const code = systemCode(error);
  if (code !== null && LOST_SYSTEM_CODES.has(code)) return true;
  return error instanceof Error && LOST_MESSAGES.test(error.message);
}

/** A pooler has put the transaction on a connection that does not know the statement by this name, or knows it already. */
export function isStatementLost(error: unknown): boolean {
  const state = sqlState(error);
  return state === '26000' || state === '42P05';
}

/**
 * Serialisation failure, deadlock, or a server that is just changing its part (25006: a standby that is being promoted). Also a lost statement:
 * none has a name any more when it is tried again.
 */
export function isPassing(error: unknown): boolean {
  const state = sqlState(error);
  return (
    state === '40001' || state === '40P01' || state === '25006' || isStatementLost(error) || isConnectionLost(error)
  );
}

type Words = readonly [code: EngineError['code'], message: string, hint?: string];

const KEPT_BUSY: Words = [
  'busy',
  'Other programs kept the database busy for too long; nothing was written.',
  TRY_AGAIN,
];
const TOO_SLOW: Words = ['busy', 'The database took too long to answer; nothing was written.', TRY_AGAIN];
const NOT_LET_IN: Words = [
  'storage_unsupported',
  'The database server rejected the user or the password.',
  'Check the user and the password in the URL.',
];
const TOO_LARGE: Words = ['too_large', 'A value is too large for the database.'];
const DAMAGED: Words = [
  'storage_damaged',
  'The database is damaged.',
  'Check the disk and the log of the server; restore a backup if necessary.',
];
const REFUSED: Words = ['internal', 'The database refused a statement.'];

const WORDS: Readonly<Record<string, Words>> = {
  '55P03': TOO_SLOW,
  '57014': TOO_SLOW,
  '53100': [
    'storage_full',
    'The disk of the database server is full; nothing was written.',
    'Free some space there, then try again. Reading still works.',
  ],
  '53200': ['busy', 'The database server is out of memory.', TRY_AGAIN],
  '25006': [
    'storage_read_only',
    'The database is read-only: it is a standby, or set to read-only.',
    'Use the URL of the primary server.',
  ],
  '42501': [
    'storage_read_only',
    'The database role may not do this.',
    'Somebody who administers the server gives it its rights with `ltm server roles --serve ROLE`. See docs/postgres.md.',
  ],
  '28000': NOT_LET_IN,
  '28P01': NOT_LET_IN,
  '3D000': [
    'storage_unsupported',
    'There is no such database on the server.',
    'Create it with `createdb`, or correct the URL.',
  ],
  '54000': TOO_LARGE,
  '22001': TOO_LARGE,
  XX001: DAMAGED,
  XX002: DAMAGED,
};

/** The one place where errors of PostgreSQL and its driver become ours. Causes are the driver's errors, which never hold the address. */
export function translateError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const state = stateOf(error);
  if (isConnectionLost(error)) {
    return new EngineError('busy', 'The database server cannot be reached at the moment.', {
      hint: 'Try again in a moment. If it keeps failing, check that PostgreSQL is running and accepts connections from here.',
      details: { postgres: state ?? systemCode(error) ?? 'connection' },
      cause: error,
    });
  }
  if (state === null) return new EngineError('internal', 'The store failed unexpectedly.', { cause: error });
  const [code, message, hint] = isPassing(error) && state !== '25006' ? KEPT_BUSY : (WORDS[state] ?? REFUSED);
  return new EngineError(code, message, { hint, details: { postgres: state }, cause: error });
}

/** Long enough to sit out a restart of the server, short enough that nobody waits in vain. */
export const LONGEST_WAIT_MS = 10_000;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 1_000;

/** Does the work again while what stops it is passing. Throws EngineErrors only. The work must leave nothing behind when it fails. */
export async function retryWhilePassing<T>(
  work: () => Promise<T>,
  longestWaitMs: number = LONGEST_WAIT_MS,
  isWorthRetrying: (error: unknown) => boolean = isPassing,
): Promise<T> {
  const start = performance.now();
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      const wait = pause * (0.5 + Math.random());
      if (!isWorthRetrying(error) || performance.now() - start + wait > longestWaitMs) throw translateError(error);
      await sleep(wait);
    }
  }
}

import { EngineError, type ErrorCode } from '../model/errors.ts';
import type { Environment } from '../settings/settings.ts';
import { safeLine } from './safe-text.ts';
import { paint, type Terminal, usesColours } from './terminal.ts';

export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  notFound: 3,
  refused: 4,
  storage: 5,
  /** Done, but something damaged was left out, which the command has named. */
  incomplete: 6,
  interrupted: 130,
} as const;

const EXIT_BY_ERROR = {
  invalid_input: 'usage',
  unreadable_time: 'usage',
  invalid_cursor: 'usage',
  too_large: 'usage',
  not_found: 'notFound',
  conflict: 'refused',
  duplicate: 'refused',
  rejected: 'refused',
  idempotency_mismatch: 'refused',
  unauthorized: 'refused',
  forbidden: 'refused',
  rate_limited: 'refused',
  busy: 'storage',
  storage_full: 'storage',
  storage_damaged: 'storage',
  storage_read_only: 'storage',
  storage_unsupported: 'storage',
  space_sealed: 'refused',
  embedder_failed: 'failure',
  internal: 'failure',
} as const satisfies Record<ErrorCode, keyof typeof EXIT>;

/** The command line itself is wrong: exit code 2, and where to read more. */
export class UsageError extends EngineError {
  constructor(message: string, hint?: string) {
    super('invalid_input', message, { hint });
    this.name = 'UsageError';
  }
}

/** One line and a hint for the person, the same as an object with --json; a stack only where it was asked for. */
export function reportError(
  error: unknown,
  { terminal, env, json }: { terminal: Terminal; env: Environment; json: boolean },
): number {
  const { stderr } = terminal.streams;
  const colour = usesColours(stderr, env);
  const { code, message, hint, details } = error instanceof EngineError ? error : describeUnknown(error);
  if (json) terminal.printJson({ error: { code, message, hint: hint ?? null, details } });
  stderr.write(`${colour ? paint('red', 'error:') : 'error:'} ${safeLine(message)}\n`);
  if (hint !== undefined) stderr.write(`${colour ? paint('dim', safeLine(hint)) : safeLine(hint)}\n`);
  if (env.LTM_LOG_LEVEL === 'debug' && error instanceof Error) stderr.write(`${showStack(error)}\n`);
  return EXIT[EXIT_BY_ERROR[code]];
}

function describeUnknown(error: unknown): Pick<EngineError, 'code' | 'message' | 'hint' | 'details'> {
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'internal', message, hint: 'LTM_LOG_LEVEL=debug shows where it happened.', details: {} };
}

function showStack(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${showStack(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}

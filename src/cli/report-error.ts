import { EngineError } from '../model/errors.ts';
import type { Environment } from '../server/settings.ts';
import { EXIT, exitCodeOf } from './exit-codes.ts';
import { safeLine } from './safe-text.ts';
import { paint, type Terminal, usesColours } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** One line and a hint for the person, the same as an object with --json; a stack only where it was asked for. */
export function reportError(
  error: unknown,
  { terminal, env, json }: { terminal: Terminal; env: Environment; json: boolean },
): number {
  const { code, message, hint, details, exitCode } = describeError(error);
  const { stderr } = terminal.streams;
  const colour = usesColours(stderr, env);
  if (json) terminal.printJson({ error: { code, message, hint: hint ?? null, details } });
  stderr.write(`${colour ? paint('red', 'error:') : 'error:'} ${safeLine(message)}\n`);
  if (hint !== undefined) stderr.write(`${colour ? paint('dim', safeLine(hint)) : safeLine(hint)}\n`);
  if (env.LTM_LOG_LEVEL === 'debug' && error instanceof Error) stderr.write(`${showStack(error)}\n`);
  return exitCode;
}

interface DescribedError {
  code: string;
  message: string;
  hint: string | undefined;
  details: Record<string, string | number | boolean | null>;
  exitCode: number;
}

function describeError(error: unknown): DescribedError {
  if (error instanceof UsageError)
    return { code: 'invalid_input', message: error.message, hint: error.hint, details: {}, exitCode: EXIT.usage };
  if (error instanceof EngineError) {
    const { code, message, hint, details } = error;
    return { code, message, hint, details, exitCode: exitCodeOf(code) };
  }
  const message = error instanceof Error ? error.message : String(error);
  return {
    code: 'internal',
    message,
    hint: 'LTM_LOG_LEVEL=debug shows where it happened.',
    details: {},
    exitCode: EXIT.failure,
  };
}

function showStack(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${showStack(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}

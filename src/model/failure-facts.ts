import { EngineError, type ErrorCode } from './errors.ts';

/** Whoever asked has done nothing wrong, so the operator has to hear of it. */
export const FAULTS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'busy',
  'storage_full',
  'storage_damaged',
  'storage_read_only',
  'storage_unsupported',
  'embedder_failed',
  'internal',
]);

/** For answers that have one text and no place for a hint: who meets a fault needs it. */
export function sayWithHint({ code, message, hint }: EngineError): string {
  return FAULTS.has(code) && hint !== undefined ? `${message} ${hint}` : message;
}

type Facts = Record<string, string | number | boolean>;

/** What the log says of a failure. The message of a foreign error may quote what was stored; its kind and place are enough to find the fault. */
export function failureFacts(error: unknown): Facts {
  if (!(error instanceof EngineError)) return { code: 'internal', ...describe(error) };
  const { code, message, cause, details } = error;
  const known = Object.entries(details).filter((entry): entry is [string, Facts[string]] => entry[1] !== null);
  return {
    ...Object.fromEntries(known),
    code,
    message,
    ...(code === 'internal' && describe(rootOf(error), cause && error)),
  };
}

function rootOf(error: Error): unknown {
  return error.cause === undefined ? error : error.cause instanceof Error ? rootOf(error.cause) : error.cause;
}

function describe(error: unknown, thrown?: unknown): Facts {
  const passed = framesOf(thrown);
  return {
    error: error instanceof Error ? error.name : typeof error,
    at: framesOf(error),
    ...(passed !== '' && { passed_on_at: passed }),
  };
}

const MAX_FRAMES = 6;

/** A message of several lines may look like frames itself. */
function framesOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { stack = '', message } = error;
  const end = stack.indexOf(message) + message.length;
  const frames = stack.slice(Math.max(end, 0)).split('\n');
  return frames
    .filter((line) => /^\s+at /.test(line))
    .slice(0, MAX_FRAMES)
    .map((line) => line.trim())
    .join(' | ');
}

/** Every way a call can fail that its caller must know about. Each surface maps the whole list (`satisfies Record<ErrorCode, …>`). */
export const ERROR_CODES = [
  'invalid_input',
  'unreadable_time',
  'invalid_cursor',
  'not_found',
  'conflict',
  'duplicate',
  'rejected',
  'idempotency_mismatch',
  'unauthorized',
  'forbidden',
  'too_large',
  'rate_limited',
  'busy',
  'storage_full',
  'storage_damaged',
  'storage_read_only',
  'storage_unsupported',
  'space_sealed',
  'embedder_failed',
  'internal',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export interface ErrorOptions {
  /** What the person can do about it. */
  hint?: string;
  cause?: unknown;
  /** Facts a program can act on (field, limit, id …); never contents or secrets. */
  details?: Record<string, string | number | boolean | null>;
}

/** The one exception that crosses the engine's border. */
export class EngineError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly details: Record<string, string | number | boolean | null>;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'EngineError';
    this.code = code;
    this.hint = options.hint;
    this.details = options.details ?? {};
  }
}

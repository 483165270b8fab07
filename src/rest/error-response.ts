import { z } from 'zod';
import { EngineError, ERROR_CODES, type ErrorCode } from '../model/errors.ts';
import type { ProblemFacts } from '../verbs/verb.ts';
import { API_PATH } from './rest-env.ts';

/** One thing wrong with the request: a field, a query parameter, a header or a line. */
const fieldError = z.strictObject({ field: z.string(), message: z.string() });
export type FieldError = z.infer<typeof fieldError>;

/** RFC 9457, with the engine's code and hint. */
export const problemSchema = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  code: z.enum(ERROR_CODES),
  hint: z.string().optional().describe('What you can do about it.'),
  request_id: z.string(),
  errors: z.array(fieldError).optional(),
});
export type Problem = z.infer<typeof problemSchema>;

export const ERROR_STATUS = {
  invalid_input: [400, 'The request is not valid'],
  unreadable_time: [400, 'The time cannot be parsed'],
  invalid_cursor: [400, 'The cursor is not valid'],
  not_found: [404, 'Not found'],
  conflict: [409, 'The resource has changed'],
  duplicate: [409, 'The resource already exists'],
  rejected: [409, 'A person has rejected this text'],
  idempotency_mismatch: [422, 'The idempotency key was used for another request'],
  unauthorized: [401, 'A token is required'],
  forbidden: [403, 'Not allowed'],
  too_large: [413, 'Too large'],
  rate_limited: [429, 'Too many requests'],
  busy: [503, 'Busy'],
  storage_full: [507, 'The disk is full'],
  storage_damaged: [500, 'The database is damaged'],
  storage_read_only: [503, 'The database is read-only'],
  storage_unsupported: [503, 'The database is not supported'],
  space_sealed: [409, 'The space is sealed'],
  embedder_failed: [502, 'The embeddings service failed'],
  internal: [500, 'Internal server error'],
} as const satisfies Record<ErrorCode, readonly [status: number, title: string]>;

const RETRY_AFTER_SECONDS: Partial<Record<ErrorCode, number>> = {
  busy: 1,
  rate_limited: 60,
  storage_read_only: 30,
  storage_unsupported: 30,
};

/** A request that is wrong on the level of HTTP, or in named fields. */
export class RequestProblem extends EngineError {
  readonly status: number;
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: ProblemOptions = {}) {
    super(code, message, { hint: options.hint });
    this.status = options.status ?? ERROR_STATUS[code][0];
    this.errors = options.errors ?? [];
    this.headers = options.headers ?? {};
    this.facts = options.facts ?? {};
  }
}

type ProblemOptions = Omit<ProblemFacts, 'code' | 'message'> & { headers?: Record<string, string> };

/** Every failure becomes one of these. The text of what was not foreseen stays inside; the server's log says of every failure what is known (`http.ts`). */
export function errorResponse(error: unknown, requestId: string): Response {
  const known = error instanceof EngineError ? error : unforeseen(error);
  const status = known instanceof RequestProblem ? known.status : ERROR_STATUS[known.code][0];
  const retryAfter = known.details.retry_after ?? RETRY_AFTER_SECONDS[known.code];
  return new Response(JSON.stringify(describeProblem(known, status, requestId)), {
    status,
    headers: {
      'Content-Type': 'application/problem+json',
      ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
      ...(typeof known.details.scope === 'string' && {
        'WWW-Authenticate': `Bearer realm="ltm", error="insufficient_scope", scope="${known.details.scope}"`,
      }),
      ...(known instanceof RequestProblem ? known.headers : {}),
    },
  });
}

function describeProblem(error: EngineError, status: number, requestId: string): Problem {
  const errors = error instanceof RequestProblem ? error.errors : [];
  return {
    ...(error instanceof RequestProblem ? error.facts : error.details),
    type: `${API_PATH}/docs#${error.code}`,
    title: ERROR_STATUS[error.code][1],
    status,
    detail: error.message,
    code: error.code,
    hint: error.hint ?? (error.code === 'internal' ? LOOK_IN_LOG : undefined),
    request_id: requestId,
    errors: errors.length === 0 ? undefined : [...errors],
  };
}

const LOOK_IN_LOG = "The server's log has details under this request id.";

function unforeseen(cause: unknown): EngineError {
  return new EngineError('internal', 'The server could not complete this request.', { cause });
}

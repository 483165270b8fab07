import type { ErrorCode } from '../model/errors.ts';

export const EXIT = { ok: 0, failure: 1, usage: 2, notFound: 3, refused: 4, storage: 5, interrupted: 130 } as const;
export type ExitName = keyof typeof EXIT;

const EXIT_BY_ERROR = {
  invalid_input: 'usage',
  unreadable_time: 'usage',
  invalid_cursor: 'usage',
  too_large: 'usage',
  not_found: 'notFound',
  conflict: 'refused',
  duplicate: 'refused',
  idempotency_mismatch: 'refused',
  unauthorized: 'refused',
  forbidden: 'refused',
  rate_limited: 'refused',
  busy: 'storage',
  storage_full: 'storage',
  storage_damaged: 'storage',
  storage_read_only: 'storage',
  storage_unsupported: 'storage',
  embedder_failed: 'failure',
  internal: 'failure',
} as const satisfies Record<ErrorCode, ExitName>;

export function exitCodeOf(code: ErrorCode): number {
  return EXIT[EXIT_BY_ERROR[code]];
}

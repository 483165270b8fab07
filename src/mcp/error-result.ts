import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Log } from '../engine/ports.ts';
import { EngineError, type ErrorCode } from '../model/errors.ts';
import { FAULTS, failureFacts } from '../model/failure-facts.ts';
import { cleanText } from '../model/hidden-characters.ts';
import { cleanJson } from './clean-text.ts';

/** What an agent can do about each error where the error itself does not say. */
const HINTS = {
  invalid_input: 'Correct the argument and call again.',
  unreadable_time: 'Use a date such as 2026-03-01, a time such as 2026-03-01T10:00Z, or a phrase such as "last week".',
  invalid_cursor: 'Start again without cursor.',
  not_found: 'Look for it with memory_search or memory_list.',
  conflict: 'Read the memory again with memory_get, then repeat the change.',
  duplicate: 'Use memory_update on the memory that is there.',
  rejected: 'Do not store it again; a person can lift the rejection with: ltm rejected lift.',
  idempotency_mismatch: 'Use a new idempotency_key for a different request.',
  unauthorized: 'Connect with a valid token.',
  forbidden: 'Ask the owner for a token with the scope that is needed.',
  too_large: 'Split the content and store the parts.',
  rate_limited: 'Wait a moment, then call again.',
  busy: 'Another process is writing; call again.',
  storage_full: 'The disk is full; tell the user.',
  storage_damaged: 'Tell the user to run: ltm doctor.',
  storage_read_only: 'Nothing can be stored now; tell the user.',
  storage_unsupported: 'Tell the user; the log of the server says what is missing.',
  space_sealed: 'Ask a machine that has the key of this space; the server cannot read it.',
  embedder_failed: 'Search with mode text, or call again later.',
  internal: 'Call again; if it stays, tell the user the id, which is in the log of the server.',
} satisfies Record<ErrorCode, string>;

/** `word` is what the text begins with where not with the code: agents of other systems look for theirs. */
export function errorResult(error: EngineError, word: string = error.code): CallToolResult {
  const { code, hint = HINTS[code] } = error;
  const message = cleanText(error.message);
  const details = cleanJson(error.details);
  return {
    isError: true,
    content: [{ type: 'text', text: `${word}: ${message}\n${hint}` }],
    structuredContent: { error: { code, message, hint, details } },
  };
}

/** What is no fault of the caller's is logged; what nobody foresaw under an id that the client can ask for. */
export function toEngineError(error: unknown, log: Log): EngineError {
  if (error instanceof EngineError && error.code !== 'internal') {
    if (FAULTS.has(error.code)) log.error('mcp_call_failed', failureFacts(error));
    return error;
  }
  const id = randomUUID();
  log.error('mcp_internal_error', { ...failureFacts(error), id });
  return new EngineError('internal', `Something went wrong inside the server (id ${id}).`, {
    details: { id },
    cause: error,
  });
}

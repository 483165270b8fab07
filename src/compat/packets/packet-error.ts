import type { Log } from '../../engine/ports.ts';
import { EngineError, type ErrorCode } from '../../model/errors.ts';
import { ERROR_STATUS } from '../../rest/error-response.ts';
import { packetJson } from './packet-json.ts';

/** This API says 400 to whatever is wrong with a body, its size included. */
const OWN_STATUS: Partial<Record<ErrorCode, number>> = {
  too_large: 400,
  invalid_cursor: 400,
  conflict: 409,
  duplicate: 409,
};

export function packetError(
  status: number,
  message: string,
  more: { facts?: object; headers?: Record<string, string> } = {},
): Response {
  return packetJson(
    { error: message, ...more.facts },
    { status, ...(more.headers !== undefined && { headers: more.headers }) },
  );
}

/** What was not foreseen is logged by kind and place, and its text stays inside. */
export function describeFailure(error: unknown, log: Log): Response {
  if (error instanceof EngineError) {
    const wait = error.details.retry_after;
    const headers = typeof wait === 'number' ? { headers: { 'Retry-After': String(wait) } } : {};
    return packetError(OWN_STATUS[error.code] ?? ERROR_STATUS[error.code][0], error.message, headers);
  }
  const frames = error instanceof Error ? (error.stack ?? '').split('\n').slice(1, 5) : [];
  log.error('packet_request_failed', {
    error: error instanceof Error ? error.name : typeof error,
    at: frames.map((line) => line.trim()).join(' | '),
  });
  return packetError(500, 'the server could not finish this request');
}

import { canonicalJson } from '../../model/canonical-json.ts';
import { EngineError, type ErrorCode } from '../../model/errors.ts';
import { sayWithHint } from '../../model/failure-facts.ts';
import { isObject, parseJson } from '../../model/json-text.ts';
import { ERROR_STATUS } from '../../rest/error-response.ts';
import { readChunks } from '../../rest/read-body.ts';

/** Two blanks of indent, keys in alphabetical order, a newline at the end. */
export function packetJson(value: object, init: { status?: number; headers?: Record<string, string> } = {}): Response {
  return new Response(`${JSON.stringify(JSON.parse(canonicalJson(value)), null, 2)}\n`, {
    status: init.status ?? 200,
    headers: { 'Content-Type': 'application/json', ...init.headers },
  });
}

/** This API says 400 to whatever is wrong with a body, its size included. */
const OWN_STATUS: Partial<Record<ErrorCode, number>> = { too_large: 400 };

export function packetError(
  status: number,
  message: string,
  { facts, headers }: { facts?: object; headers?: Record<string, string> } = {},
): Response {
  return packetJson({ error: message, ...facts }, { status, headers });
}

/** The text of what was not foreseen stays inside. */
export function describeFailure(error: Error): Response {
  if (error instanceof EngineError) {
    const wait = error.details.retry_after;
    const headers = typeof wait === 'number' ? { 'Retry-After': String(wait) } : undefined;
    return packetError(OWN_STATUS[error.code] ?? ERROR_STATUS[error.code][0], sayWithHint(error), { headers });
  }
  return packetError(500, 'the server could not finish this request');
}

/** Bodies up to this size are read to their end, so that the connection can be used again. */
export const MOST_DRAINED = 65_536;

/** At most so many bytes; what follows is thrown away. */
export async function readBytes(request: Request, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of readChunks(request, Number.POSITIVE_INFINITY)) {
    if (size < most) chunks.push(chunk);
    size += chunk.byteLength;
    if (size > MOST_DRAINED) break;
  }
  return Buffer.concat(chunks).subarray(0, most);
}

/** The JSON object in a body of at most so many bytes, or null. */
export async function readObject(request: Request, most: number): Promise<Record<string, unknown> | null> {
  const bytes = await readBytes(request, most + 1);
  if (bytes.length > most) return null;
  const value = parseJson(bytes.toString());
  return isObject(value) ? value : null;
}

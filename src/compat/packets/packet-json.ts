import { canonicalJson } from '../../model/canonical-json.ts';
import { isObject, parseJson } from '../../model/json-text.ts';
import { readChunks } from '../../rest/read-body.ts';

/** Two blanks of indent, keys in alphabetical order, a newline at the end. */
export function packetJson(value: object, init: { status?: number; headers?: Record<string, string> } = {}): Response {
  return new Response(`${JSON.stringify(JSON.parse(canonicalJson(value)), null, 2)}\n`, {
    status: init.status ?? 200,
    headers: { 'Content-Type': 'application/json', ...init.headers },
  });
}

export function noContent(): Response {
  return new Response(null, { status: 204 });
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

import { Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { EngineError } from '../model/errors.ts';
import { isObject, MAX_JSON_DEPTH, measureDepth } from '../model/json-text.ts';
import { RequestProblem } from './error-response.ts';

export function requireContentType(request: Request, allowed: readonly string[]): void {
  const given = (request.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
  if (allowed.includes(given)) return;
  const unknown = `A body of type ${given} is not understood here.`;
  throw new RequestProblem('invalid_input', given === '' ? 'The request does not say what its body is.' : unknown, {
    status: 415,
    hint: `Send the header Content-Type: ${allowed[0]}.`,
    headers: { 'Accept-Post': allowed.join(', ') },
  });
}

/** Stops reading at the limit, so a body without Content-Length cannot fill the memory either. */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  // A length that was given is kept to by Node; reading without a stream takes a tenth of the time.
  const given = Number(request.headers.get('content-length') ?? Number.NaN);
  if (given <= maxBytes) return decodeText(new Uint8Array(await request.arrayBuffer()));
  const chunks: Uint8Array[] = [];
  for await (const chunk of readChunks(request, maxBytes)) chunks.push(chunk);
  return decodeText(Buffer.concat(chunks));
}

export async function* readChunks(request: Request, maxBytes: number): AsyncGenerator<Uint8Array> {
  if (request.body === null) return;
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw bodyTooLarge(maxBytes);
    yield chunk;
  }
}

/** Lines, compressed or not; the limit is on what they come to. */
export async function* readLineChunks(request: Request, maxBytes: number): AsyncGenerator<Uint8Array> {
  const encoding = (request.headers.get('content-encoding') ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return yield* readChunks(request, maxBytes);
  if (encoding !== 'zstd')
    throw new RequestProblem('invalid_input', `A body that is compressed with ${encoding} is not understood here.`, {
      status: 415,
      hint: 'Send it as it is, or with Content-Encoding: zstd.',
      headers: { 'Accept-Encoding': 'zstd' },
    });
  let size = 0;
  try {
    for await (const chunk of Readable.from(readChunks(request, maxBytes)).compose(createZstdDecompress())) {
      size += (chunk as Uint8Array).byteLength;
      if (size > maxBytes) throw bodyTooLarge(maxBytes);
      yield chunk as Uint8Array;
    }
  } catch (cause) {
    if (cause instanceof EngineError) throw cause;
    throw new EngineError('invalid_input', 'The body is not what zstd makes.', { cause });
  }
}

export function bodyTooLarge(maxBytes: number): EngineError {
  return new EngineError('too_large', `The body is larger than ${maxBytes} bytes.`, {
    hint: 'Send less at once, or raise the settings max_body_bytes and max_import_bytes.',
    details: { max_bytes: maxBytes },
  });
}

export function parseJsonBody(text: string): unknown {
  if (measureDepth(text) > MAX_JSON_DEPTH)
    throw new EngineError('invalid_input', `The JSON is nested more than ${MAX_JSON_DEPTH} levels deep.`, {
      details: { max_depth: MAX_JSON_DEPTH },
    });
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new EngineError('invalid_input', 'The body is not JSON.', {
      cause,
      hint: cause instanceof Error ? cause.message.replace(/".*/s, '').trim() : undefined,
    });
  }
}

const DECODER = new TextDecoder('utf-8', { fatal: true });

function decodeText(bytes: Uint8Array): string {
  try {
    return DECODER.decode(bytes);
  } catch (cause) {
    throw new EngineError('invalid_input', 'The body is not UTF-8 text.', { cause });
  }
}

/** The JSON object that the body is; none at all is an empty one. */
export async function readObject(request: Request, maxBytes: number): Promise<Record<string, unknown>> {
  const text = await readText(request, maxBytes);
  const body = text.trim() === '' ? {} : parseJsonBody(text);
  if (!isObject(body)) throw new EngineError('invalid_input', 'The body must be a JSON object.');
  return body;
}

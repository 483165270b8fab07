import { EngineError } from '../model/errors.ts';
import { RequestProblem } from './error-response.ts';

/** Deeper JSON is refused before it is parsed: checks that walk it would run out of stack. */
const MAX_DEPTH = 64;

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

export function bodyTooLarge(maxBytes: number): EngineError {
  return new EngineError('too_large', `The body is larger than ${maxBytes} bytes.`, {
    hint: 'Send less at once, or raise the settings max_body_bytes and max_import_bytes.',
    details: { max_bytes: maxBytes },
  });
}

export function parseJsonBody(text: string): unknown {
  if (measureDepth(text) > MAX_DEPTH)
    throw new EngineError('invalid_input', `The JSON is nested more than ${MAX_DEPTH} levels deep.`, {
      details: { max_depth: MAX_DEPTH },
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

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new EngineError('invalid_input', 'The body is not UTF-8 text.', { cause });
  }
}

function measureDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === BACKSLASH) i++;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) deepest = Math.max(deepest, ++depth);
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
  }
  return deepest;
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

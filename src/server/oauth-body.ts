import { IncomingMessage } from 'node:http';

/** As much as the engine reads of a form or a registration. */
export const MAX_OAUTH_BODY_BYTES = 56 * 1024;

/**
 * The request with a body that is known to be small, or null: it is larger. A length that the request states is judged before a byte is read; a body without
 * one is read here up to the limit, and handed on whole.
 */
export async function boundBody(request: IncomingMessage): Promise<IncomingMessage | null> {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (coding === undefined) return Number(length ?? 0) > MAX_OAUTH_BODY_BYTES ? null : request;
  const chunks: Buffer[] = [];
  let size = 0;
  // The connection is still needed for the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_OAUTH_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return withBody(request, Buffer.concat(chunks));
}

const LINGER_MS = 500;
const MOST_DROPPED = 1 << 20;

/** A client that is still sending must find the answer: the connection stays for a moment, and takes in a little more, before it is cut. */
export function dropBody(request: IncomingMessage): void {
  const { socket } = request;
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MOST_DROPPED) request.pause();
  });
  request.once('end', () => clearTimeout(cut));
}

function withBody(request: IncomingMessage, body: Buffer): IncomingMessage {
  const { 'transfer-encoding': _coding, ...headers } = request.headers;
  const { method, url, httpVersion, httpVersionMajor, httpVersionMinor } = request;
  const whole = Object.assign(new IncomingMessage(request.socket), {
    method,
    url,
    httpVersion,
    httpVersionMajor,
    httpVersionMinor,
    headers: { ...headers, 'content-length': String(body.length) },
    complete: true,
  });
  whole.push(body);
  whole.push(null);
  return whole;
}

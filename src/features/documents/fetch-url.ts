import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { guardedLookup } from '../../auth/guarded-lookup.ts';
import { EngineError } from '../../model/errors.ts';
import { isGlobalAddress, isLoopbackAddress } from '../../model/networks.ts';
import type { FetchedFile } from './document-reader.ts';
import { detectFormat, formatOfName } from './readers/formats.ts';

export interface FetchOptions {
  maxBytes: number;
  /** For tests: this machine is no stranger. */
  allowLoopback?: boolean;
  timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 5;
/** The ending of a page that has none in its address. */
const ENDINGS: Readonly<Record<string, string>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'application/pdf': 'pdf',
  'application/json': 'json',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'text/csv': 'csv',
  'text/markdown': 'md',
  'text/plain': 'txt',
};
const ACCEPTED = Object.keys(ENDINGS).join(', ');

/**
 * Reads a document from an address that somebody named. Each step of the way is checked anew: only http and https, never from https to http, and
 * only machines on the open internet, by the very address that the connection is made to.
 */
export async function fetchUrl(address: string, options: FetchOptions): Promise<FetchedFile> {
  const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  let url = readUrl(address);
  for (let steps = 0; steps <= MAX_REDIRECTS; steps++) {
    const response = await ask(url, { ...options, signal });
    const { statusCode: status = 0, headers } = response;
    if (status >= 300 && status < 400 && headers.location !== undefined) {
      response.destroy();
      const next = readUrl(headers.location, url);
      if (url.protocol === 'https:' && next.protocol !== 'https:')
        throw refuse('leads from https to http', 'redirect_downgraded');
      url = next;
      continue;
    }
    if (status !== 200) {
      response.destroy();
      throw new EngineError('not_found', `The server of ${url.host} answered with ${status}.`, {
        details: { field: 'url', status },
      });
    }
    return readResponse(response, url, { ...options, signal });
  }
  throw refuse(`leads on more than ${MAX_REDIRECTS} times`, 'too_many_redirects');
}

function readUrl(address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href);
  if (url === null || !/^https?:$/.test(url.protocol)) throw refuse('is no http or https address', 'not_http');
  if (url.username !== '' || url.password !== '') throw refuse('holds a name or a password', 'credentials');
  return url;
}

interface Asking extends FetchOptions {
  signal: AbortSignal;
}

function ask(url: URL, { allowLoopback = false, signal }: Asking): Promise<IncomingMessage> {
  const isWelcome = (ip: string): boolean => isGlobalAddress(ip) || (allowLoopback && isLoopbackAddress(ip));
  const inside = (): EngineError => refuse('is not on a public address', 'private_address');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0 && !isWelcome(host)) return Promise.reject(inside());
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp;
    const call = request(url, {
      headers: { accept: `${ACCEPTED};q=0.9, text/*;q=0.8`, 'accept-encoding': 'identity', 'user-agent': 'ltm' },
      lookup: guardedLookup(isWelcome, inside),
      agent: false,
      signal,
    });
    call.on('socket', (socket) =>
      socket.on('connect', () => {
        if (!isWelcome(socket.remoteAddress ?? '')) call.destroy(inside());
      }),
    );
    call.on('error', (error) => reject(translate(error, url, signal)));
    call.on('response', resolve);
    call.end();
  });
}

async function readResponse(response: IncomingMessage, url: URL, { maxBytes, signal }: Asking): Promise<FetchedFile> {
  const { headers } = response;
  const mediaType = headers['content-type'] ?? '';
  const plain = mediaType.split(';')[0]!.trim().toLowerCase();
  const name = nameOf(url, plain);
  const isKnown = plain.startsWith('text/') || plain in ENDINGS || formatOfName(name) !== null;
  const encoding = headers['content-encoding'] ?? 'identity';
  try {
    if (!isKnown) throw refuse(`is of the type ${plain.slice(0, 80) || 'unknown'}, which is not read`, 'content_type');
    if (encoding !== 'identity') throw refuse('is compressed, which was not asked for', 'content_encoding');
    if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
    const bytes = Buffer.concat(chunks);
    if (detectFormat(name, bytes, mediaType) === null) throw refuse('is nothing that is read', 'content_type');
    return { name, bytes, mediaType, uri: url.href };
  } catch (error) {
    throw translate(error, url, signal);
  } finally {
    response.destroy();
  }
}

/** The end of the path, with the ending of what the server says it is: a page called report.pdf that is HTML is read as HTML. */
function nameOf({ pathname, hostname }: URL, mediaType: string): string {
  const last = decode(pathname.split('/').findLast((step) => step !== '') ?? '');
  const ending = ENDINGS[mediaType];
  const stem = last === '' ? hostname : last;
  if (ending === undefined || (mediaType === 'text/plain' && formatOfName(stem) !== null)) return stem;
  return stem.toLowerCase().endsWith(`.${ending}`) ? stem : `${stem}.${ending}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text).replaceAll(/[\\/\0]/g, '_');
  } catch {
    return text; // a name that is encoded wrongly is a name all the same
  }
}

function refuse(why: string, reason: string): EngineError {
  return new EngineError('invalid_input', `The URL ${why}.`, {
    hint: 'Give the http or https address of a document on the open internet, or save it and ingest the file.',
    details: { field: 'url', reason },
  });
}

function tooLarge(limit: number): EngineError {
  return new EngineError('too_large', `The document is larger than ${limit} bytes.`, {
    hint: 'Raise the setting max_document_bytes.',
    details: { field: 'url', limit },
  });
}

function translate(error: unknown, { host }: URL, signal: AbortSignal): EngineError {
  if (error instanceof EngineError) return error;
  if (signal.aborted)
    return new EngineError('busy', `${host} did not send the document in time.`, { hint: 'Try again later.' });
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  return new EngineError('not_found', `${host} cannot be reached (${code}).`, { details: { field: 'url', code } });
}

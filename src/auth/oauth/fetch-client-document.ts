import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { isIP } from 'node:net';
import { isGlobalAddress, isLoopbackAddress } from '../../model/networks.ts';
import { guardedLookup } from '../guarded-lookup.ts';
import { readClient } from './client-policy.ts';

export const MAX_DOCUMENT_BYTES = 64 * 1024;
const TIMEOUT_MS = 5000;

export interface DocumentFetchOptions {
  /** For development: documents may also lie on this machine, whatever their certificate. */
  allowLoopback: boolean;
}

/**
 * Reads a client's document from an address that a stranger chose. The address that the name stands for is checked when the connection is
 * made, so that a name cannot change its mind in between; nothing is followed, and little is read. What is not a sound description is refused.
 */
export async function fetchClientDocument(address: string, options: DocumentFetchOptions): Promise<Response> {
  const url = new URL(address);
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '')
    throw new Error('a client document is read over https only');
  const { status, body, cacheControl } = await read(url, options);
  const headers = {
    'content-type': 'application/json',
    ...(cacheControl !== undefined && { 'cache-control': cacheControl }),
  };
  if (status !== 200)
    return new Response(null, { status: status >= 200 && status < 600 && status !== 204 ? status : 502 });
  const client = readClient(JSON.parse(body));
  if ('error' in client) throw new Error(client.message);
  return new Response(JSON.stringify(client), { status, headers });
}

function read(
  url: URL,
  options: DocumentFetchOptions,
): Promise<{ status: number; body: string; cacheControl: string | undefined }> {
  const isWelcome = (ip: string): boolean => isGlobalAddress(ip) || (options.allowLoopback && isLoopbackAddress(ip));
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0 && !isWelcome(host)) return Promise.reject(insideError());
  return new Promise((resolve, reject) => {
    const call = request(url, {
      headers: { accept: 'application/json' },
      lookup: guardedLookup(isWelcome, insideError),
      agent: false,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      rejectUnauthorized: !(options.allowLoopback && (host === 'localhost' || isLoopbackAddress(host))),
    });
    call.on('socket', (socket) =>
      socket.on('connect', () => {
        if (!isWelcome(socket.remoteAddress ?? '')) call.destroy(insideError());
      }),
    );
    call.on('error', reject);
    call.on('response', (response) => {
      const { statusCode: status = 502, headers } = response;
      readBody(response, MAX_DOCUMENT_BYTES)
        .then((body) => {
          if (body === null) throw new Error('the client document is too large');
          resolve({ status, body, cacheControl: headers['cache-control'] });
        })
        .catch(reject);
    });
    call.end();
  });
}

/** null: it is larger. */
export async function readBody(message: IncomingMessage, maxBytes: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function insideError(): Error {
  return new Error('the client document is not on a public address');
}

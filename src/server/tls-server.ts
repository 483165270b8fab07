import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import type { RequestListener, ServerOptions } from 'node:http';
import { createServer, type Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { Log } from '../engine/ports.ts';
import { EngineError } from '../model/errors.ts';

/** Certificates live for weeks: soon enough after a renewal. */
const LOOK_EVERY_MS = 60_000;

export interface TlsFiles {
  cert: string;
  key: string;
}

/** HTTPS with certificate and key from files; a renewed pair is taken up while the server runs, a broken one is not. */
export function createTlsServer(
  files: TlsFiles,
  log: Log,
  { listener, ...options }: ServerOptions & { listener: RequestListener },
): Server {
  const server = createServer({ ...options, ...readPair(files), minVersion: 'TLSv1.2' }, listener);
  const renew = (): void => {
    try {
      server.setSecureContext({ ...readPair(files), minVersion: 'TLSv1.2' });
      log.info('tls_renewed', { cert: files.cert });
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      log.error('tls_not_renewed', {
        cert: files.cert,
        message: error.message,
        effect: 'the previous certificate stays in use',
      });
    }
  };
  for (const file of [files.cert, files.key]) watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, renew);
  server.once('close', () => {
    for (const file of [files.cert, files.key]) unwatchFile(file, renew);
  });
  return server;
}

/** Throws where the pair cannot be used. For before anything else is opened: a server that does not start leaves nothing behind. */
export function checkTlsFiles(files: TlsFiles): void {
  readPair(files);
}

function readPair({ cert, key }: TlsFiles): { cert: Buffer; key: Buffer } {
  try {
    const pair = { cert: readFileSync(cert), key: readFileSync(key) };
    createSecureContext(pair);
    return pair;
  } catch (cause) {
    throw new EngineError('invalid_input', `The certificate ${cert} and the key ${key} cannot be used.`, {
      cause,
      hint: 'Both must be PEM files that this user can read, and the key must match the certificate.',
      details: { key: 'tls_cert' },
    });
  }
}

import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../engine/ports.ts';
import { EngineError } from '../model/errors.ts';
import type { Config } from '../settings/config.ts';
import { createTlsServer } from './tls-server.ts';

const DRAIN_MS = 5000;
const DRAIN_STEP_MS = 20;
const HEADERS_MS = 15_000;
const REQUEST_MS = 300_000;
/** Longer than proxies keep a connection that nobody uses (nginx 60 s, Caddy 120 s): one that is closed under their hands costs a request. */
const IDLE_MS = 130_000;

export const SERVER_LIMITS = { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS, keepAliveTimeout: IDLE_MS };

export function createListener(config: Config, log: Log, listener: RequestListener): Server {
  const { tlsCert: cert, tlsKey: key } = config;
  return cert === null || key === null
    ? createServer(SERVER_LIMITS, listener)
    : createTlsServer({ cert, key }, log, { ...SERVER_LIMITS, listener });
}

/** A second port, for programs of this machine alone. */
export async function listenToo(server: NetServer, { port, log }: { port: number; log: Log }): Promise<void> {
  const heard = await listen(server, { host: '127.0.0.1', port });
  log.info('listening_too', { url: `http://127.0.0.1:${heard}` });
}

export function listen(server: NetServer, { host, port }: Pick<Config, 'host' | 'port'>): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explainListenError(error, host, port)));
    server.listen({ port, host: host.replace(/^\[(.*)\]$/, '$1') }, () =>
      resolve((server.address() as AddressInfo).port),
    );
  });
}

function explainListenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const details = { host, port };
  if (error.code === 'EADDRINUSE') {
    return new EngineError('busy', `Port ${port} on ${host} is in use.`, {
      hint: 'Is `ltm serve` running already? Choose another port with --port.',
      details,
      cause: error,
    });
  }
  if (error.code === 'EACCES')
    return new EngineError('forbidden', `This user may not listen on port ${port}.`, {
      hint: 'Ports below 1024 are reserved; choose another with --port.',
      details,
    });
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new EngineError('invalid_input', `${host} is not an address of this machine.`, { details });
  return error;
}

/**
 * For a server that is to stop: answers what has begun; what has not ended after a few seconds is cut off. Clients keep connections open
 * between requests: those are closed as they fall idle. Connections that were handed to the server count as those it took itself.
 */
export function drainable(server: Server): () => Promise<void> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return async () => {
    server.close();
    const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    while (open.size > 0) {
      server.closeIdleConnections();
      await pause(DRAIN_STEP_MS);
    }
    clearTimeout(late);
  };
}

export function nameOf(bind: string): string {
  if (bind === '0.0.0.0' || bind === '::' || bind === '[::]') return '127.0.0.1';
  return bind.includes(':') && !bind.startsWith('[') ? `[${bind}]` : bind;
}

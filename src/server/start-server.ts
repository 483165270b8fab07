import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { createAuthenticator } from '../auth/authenticate.ts';
import { ensureOwnerToken } from '../auth/owner-token.ts';
import type { TokenStore } from '../auth/ports.ts';
import { isActive } from '../auth/tokens.ts';
import type { Engine } from '../engine/engine.ts';
import type { Log } from '../engine/ports.ts';
import { createMcpHttpHandler } from '../mcp/streamable-http.ts';
import { EngineError } from '../model/errors.ts';
import { VERSION } from '../model/version.ts';
import { type Config, engineSettings } from './config.ts';
import { createHostGuard, isLoopback } from './host-guard.ts';
import { createHttpApp } from './http.ts';
import { startUpkeep } from './jobs.ts';
import { openEngineAndStore, systemClock } from './open-engine.ts';

const DRAIN_MS = 5000;
const DRAIN_STEP_MS = 20;
const HEADERS_MS = 15_000;
const REQUEST_MS = 300_000;

export interface RunningServer {
  url: string;
  /** `value` only when this start has made it: it is shown once. */
  token: { value: string | null; file: string };
  close(): Promise<void>;
}

export interface StartOptions {
  /** Makes the first token even where the server can be reached from other machines. */
  createToken?: boolean;
}

export async function startServer(config: Config, log: Log, options: StartOptions = {}): Promise<RunningServer> {
  for (const warning of config.warnings) log.warn('config', { message: warning });
  const { engine, store } = await openEngineAndStore(config, log);
  try {
    await checkBind(config, store, log, options);
    const file = ownerTokenFile(config);
    const { created } = await ensureOwnerToken(file, { tokens: store, clock: systemClock, log });
    const served = await serve(config, { engine, tokens: store, log });
    log.info('listening', { url: served.url, version: VERSION });
    return { ...served, token: { value: created, file } };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** Beside the database, for the CLI and for programs of the same person. */
export function ownerTokenFile(config: Pick<Config, 'db'>): string {
  return join(dirname(config.db), 'owner-token');
}

/** Other machines get in with tokens only, and those must have been made on purpose. */
async function checkBind(config: Config, tokens: TokenStore, log: Log, options: StartOptions): Promise<void> {
  if (isLoopback(config.host)) return;
  const now = systemClock.now();
  const hasTokens = (await tokens.listTokens()).some((token) => isActive(token, now));
  if (!hasTokens && options.createToken !== true) {
    throw new EngineError('forbidden', `${config.host} can be reached from other machines, and there is no token yet.`, {
      hint: 'Start once with `ltm serve --create-token`, or once on 127.0.0.1: the first token is made and shown then.',
      details: { host: config.host },
    });
  }
  log.warn('plain_http', { host: config.host, message: 'Tokens and memories travel unencrypted: use a private network, or a proxy with TLS in front.' });
}

async function serve(config: Config, parts: { engine: Engine; tokens: TokenStore; log: Log }): Promise<{ url: string; close(): Promise<void> }> {
  const { engine, tokens, log } = parts;
  const { maxBodyBytes, maxImportBytes } = config;
  const { memoryTypes, timeZone } = engineSettings(config);
  let port = config.port;
  const hosts = createHostGuard({ bind: config.host, port: () => port, allowedHosts: config.allowedHosts, allowedOrigins: config.allowedOrigins });
  const mcp = createMcpHttpHandler(engine, { log, sessions: config.mcpSessions });
  const authenticate = createAuthenticator({ tokens, clock: systemClock, log });
  const rest = { engine, clock: systemClock, log, memoryTypes, timeZone, maxBodyBytes, maxImportBytes };
  const app = createHttpApp({ rest, mcp, hosts, authenticate });
  const server = createServer({ headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS }, getRequestListener(app.fetch));
  port = await listen(server, config);
  const upkeep = startUpkeep(engine, { everySeconds: config.upkeepSeconds, log });
  return {
    url: `http://${nameOf(config.host)}:${port}`,
    async close() {
      await Promise.all([upkeep.stop(), drain(server), mcp.close()]);
      await engine.close();
      log.info('closed');
    },
  };
}

function listen(server: Server, { host, port }: Config): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explainListenError(error, host, port)));
    server.listen({ port, host: host.replace(/^\[(.*)\]$/, '$1') }, () => resolve((server.address() as AddressInfo).port));
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

/** Answers what has begun; what has not ended after a few seconds is cut off. Clients keep connections open between requests: those are closed as they fall idle. */
async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const idle = setInterval(() => server.closeIdleConnections(), DRAIN_STEP_MS);
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}

function nameOf(bind: string): string {
  if (bind === '0.0.0.0' || bind === '::' || bind === '[::]') return '127.0.0.1';
  return bind.includes(':') && !bind.startsWith('[') ? `[${bind}]` : bind;
}

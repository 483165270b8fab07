import { existsSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { checkApiKey } from '../auth/api-key.ts';
import { ensureOwnerToken, readOwnerToken } from '../auth/owner-token.ts';
import type { IdentityStore } from '../auth/ports.ts';
import { isActive } from '../auth/tokens.ts';
import { checkTokensFile } from '../auth/tokens-file.ts';
import type { Log } from '../engine/ports.ts';
import { EngineError } from '../model/errors.ts';
import { isDatabaseUrl } from '../model/show-location.ts';
import { VERSION } from '../model/version.ts';
import { type ComposedServer, composeHttp, type ServerPorts } from './compose-http.ts';
import type { Config } from './config.ts';
import { createForwardedReader } from './forwarded.ts';
import { isLoopback } from './host-guard.ts';
import { createHttpApp } from './http.ts';
import { startUpkeep, upkeepAfterImport, withArtifactSweep } from './jobs.ts';
import { createLog } from './log.ts';
import { type Addition, openEngineAndStore, systemClock } from './open-engine.ts';
import { checkTlsFiles, createTlsServer } from './tls-server.ts';

const DRAIN_MS = 5000;
const DRAIN_STEP_MS = 20;
const HEADERS_MS = 15_000;
const REQUEST_MS = 300_000;
/** Longer than proxies keep a connection that nobody uses (nginx 60 s, Caddy 120 s): one that is closed under their hands costs a request. */
const IDLE_MS = 130_000;

export interface RunningServer {
  url: string;
  /** `value` only when this start has made it: it is shown once. `file` null: it was made elsewhere, or on purpose. */
  token: { value: string | null; file: string | null };
  close(): Promise<void>;
}

export interface StartOptions {
  /** Makes the first token even where the server can be reached from other machines. */
  createToken?: boolean;
  /** Starts only where somebody could get in, and makes no token of its own. */
  onlyWithTokens?: boolean;
  addition?: Addition;
}

export async function startServer(config: Config, log: Log, options: StartOptions = {}): Promise<RunningServer> {
  for (const warning of config.warnings) log.warn('config', { message: warning });
  if (config.tokensFile !== null) checkTokensFile(config.tokensFile);
  if (config.apiKey !== null) {
    checkApiKey(config.apiKey, { isLocal: isLoopback(config.host) });
    log.info('api_key', { from: config.origin.apiKey.name, message: 'This key has every right of the owner.' });
  }
  if (config.tlsCert !== null && config.tlsKey !== null) checkTlsFiles({ cert: config.tlsCert, key: config.tlsKey });
  if (options.onlyWithTokens === true) demandDatabase(config);
  const { addition = {} } = options;
  const { engine, store } = await openEngineAndStore(config, log, addition);
  try {
    if (options.onlyWithTokens === true) await demandTokens(config, store);
    await checkBind(config, store, log, options);
    const file = ownerTokenFile(config);
    const isMade =
      options.onlyWithTokens === true || (options.createToken !== true && (await isTokenElsewhere(config, store)));
    const { created } = isMade
      ? { created: null }
      : await ensureOwnerToken(file, { identity: store, clock: systemClock, log });
    const served = await serve(config, { engine, store, log, verbs: addition.verbs });
    log.info('listening', { url: served.url, version: VERSION });
    return { ...served, token: { value: created, file: isMade ? null : file } };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** Beside the database, or beside the configuration where the database is on a server; for the CLI and for programs of the same person. */
function ownerTokenFile({ db, configFile }: Pick<Config, 'db' | 'configFile'>): string {
  return join(dirname(isDatabaseUrl(db) ? configFile : db), 'owner-token');
}

/** Nodes on several machines share a database on a server, each with a folder of its own: the next one must not take the first one's token away. */
async function isTokenElsewhere(config: Config, identity: IdentityStore): Promise<boolean> {
  return isDatabaseUrl(config.db) && !existsSync(ownerTokenFile(config)) && (await hasTokens(identity));
}

async function hasTokens(identity: IdentityStore): Promise<boolean> {
  const now = systemClock.now();
  return (await identity.listTokens()).some((token) => isActive(token, now));
}

/** Before anything is opened: a server that refuses to start leaves no database behind. */
function demandDatabase(config: Config): void {
  const { db } = config;
  if (!namesTokens(config) && !isDatabaseUrl(db) && !existsSync(db)) throw noTokens(db);
}

async function demandTokens(config: Config, identity: IdentityStore): Promise<void> {
  if (!namesTokens(config) && !(await hasTokens(identity))) throw noTokens(config.db);
}

/** Beside those in the database. */
function namesTokens({ tokensFile, apiKey }: Config): boolean {
  return tokensFile !== null || apiKey !== null;
}

function noTokens(db: string): EngineError {
  return new EngineError('forbidden', 'There is no token yet, so nobody could sign in.', {
    hint: `Create the database and the first token: \`ltm server init --db ${db.includes('://') ? 'URL' : db}\`.`,
  });
}

/** Other machines get in with tokens only, and those must have been made on purpose. */
async function checkBind(config: Config, identity: IdentityStore, log: Log, options: StartOptions): Promise<void> {
  if (isLoopback(config.host)) return;
  if (!(await hasTokens(identity)) && !namesTokens(config) && options.createToken !== true) {
    throw new EngineError(
      'forbidden',
      `${config.host} can be reached from other machines, and there is no token yet.`,
      {
        hint: 'Start once with `ltm serve --create-token`, or once on 127.0.0.1, to create and print the first token.',
        details: { host: config.host },
      },
    );
  }
  if (config.tlsCert !== null) return;
  log.warn('plain_http', {
    host: config.host,
    message: 'Tokens and memories are sent unencrypted: use a private network, or TLS.',
  });
}

async function serve(
  config: Config,
  ports: Omit<ServerPorts, 'url'>,
): Promise<{ url: string; close(): Promise<void> }> {
  const { log } = ports;
  const engine = upkeepAfterImport(ports.engine, () => upkeep.runNow());
  const scheme = config.tlsCert === null ? 'http' : 'https';
  let url = `${scheme}://${nameOf(config.host)}:${config.port || 80}`;
  const composed = composeHttp(config, { ...ports, engine, url: () => url });
  const app = createHttpApp(composed.http);
  const server = createListener(
    config,
    log,
    listenWith(composed, { rest: getRequestListener(app.fetch), trustedProxies: config.trustedProxies }),
  );
  url = `${scheme}://${nameOf(config.host)}:${await listen(server, config)}`;
  const upkeep = startUpkeep(withArtifactSweep(engine, ports.store, systemClock), {
    everySeconds: config.upkeepSeconds,
    log,
  });
  return {
    url,
    async close() {
      await Promise.all([upkeep.stop(), drain(server), composed.close()]);
      await engine.close();
      log.info('closed');
    },
  };
}

function createListener(config: Config, log: Log, listener: RequestListener): Server {
  const limits = { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS, keepAliveTimeout: IDLE_MS };
  const { tlsCert: cert, tlsKey: key } = config;
  return cert === null || key === null
    ? createServer(limits, listener)
    : createTlsServer({ cert, key }, log, { ...limits, listener });
}

function listenWith(
  { listeners, http }: ComposedServer,
  { rest, trustedProxies }: { rest: RequestListener; trustedProxies: readonly string[] },
): RequestListener {
  const readForwarded = createForwardedReader(trustedProxies);
  return (request, response) => {
    readForwarded(request);
    const { host, origin } = request.headers;
    const isWelcome =
      host !== undefined && http.hosts.allowsHost(host) && http.hosts.allowsOrigin(origin ?? null, host);
    if (isWelcome && listeners.some((answer) => answer(request, response))) return;
    rest(request, response);
  };
}

function listen(server: Server, { host, port }: Config): Promise<number> {
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

/** `value` is null before the first `ltm serve`. */
export function findOwnerToken(config: Config): { file: string; value: string | null } {
  const file = ownerTokenFile(config);
  return { file, value: readOwnerToken(file, createLog('warn')) };
}

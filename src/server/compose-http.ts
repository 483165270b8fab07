import { ANONYMOUS } from '../auth/anonymous.ts';
import { type CredentialSource, createAuthenticator } from '../auth/authenticate.ts';
import { createAccounts } from '../auth/create-accounts.ts';
import { createGrants } from '../auth/oauth/grants.ts';
import { createStreamGuard, watchLostRights } from '../auth/stream-guard.ts';
import { createRequestLimit } from '../auth/token-buckets.ts';
import { createPersonalTokens } from '../auth/tokens.ts';
import type { Engine } from '../engine/engine.ts';
import { observeSearches } from '../engine/observe-searches.ts';
import type { Log } from '../engine/ports.ts';
import { FEATURES } from '../features/features.ts';
import type { KeptSessions } from '../mcp/session-table.ts';
import { createMcpHttpHandler, type McpAddressOptions, type McpHttpHandler } from '../mcp/streamable-http.ts';
import { familiesIn } from '../mcp/tool-table.ts';
import { OWNER_USER } from '../model/caller.ts';
import type { TokenCheckPorts } from '../rest/check-token.ts';
import { routesOfTable } from '../rest/route-table.ts';
import { type Config, engineSettings } from '../settings/config.ts';
import { systemClock } from '../settings/system-clock.ts';
import { createExtensions } from './create-extensions.ts';
import { createTools } from './create-tools.ts';
import { declaredBy } from './declared.ts';
import type { ServerExtension, ServerPorts } from './extension.ts';
import { createHostGuard } from './host-guard.ts';
import type { HttpPorts } from './http.ts';
import { createMetrics } from './metrics.ts';
import { boundStreams } from './open-file-limit.ts';
import { createStoreCheck } from './store-check.ts';
import { THIS_MACHINE } from './this-machine.ts';
import { markSession } from './workers/forward-request.ts';
import type { Peers } from './workers/peers.ts';
import { shareHealth, shareLimit, shareSearches, shareStreams } from './workers/share-with-peers.ts';

export interface ComposedServer {
  http: HttpPorts;
  listeners: readonly NonNullable<ServerExtension['listener']>[];
  close(): Promise<void>;
}

/** Joins the doors, and what the server offers besides. */
export async function composeHttp(config: Config, ports: ServerPorts): Promise<ComposedServer> {
  const { log, peers, features = FEATURES } = ports;
  const lookNow = (): void => void streams.lookNow();
  const store = watchLostRights(ports.store, () => {
    lookNow();
    peers?.tell('rights', true);
  });
  peers?.hear('rights', lookNow);
  const observed = observeSearches(peers === undefined ? ports.engine : shareHealth(ports.engine, peers));
  const { engine } = observed;
  const { memoryTypes, timeZone } = engineSettings(config);
  const sources: CredentialSource[] = [createPersonalTokens({ identity: store, clock: systemClock, log })];
  const authenticate = createAuthenticator({
    identity: store,
    sources,
    log,
    anonymous: config.anonymousAccess ? ANONYMOUS : null,
  });
  const accounts = createAccounts({ identity: store, clock: systemClock, log });
  const extensions: ServerExtension[] = [];
  const limit = createRequestLimit(systemClock, config);
  const tokenCheck: TokenCheckPorts = {
    authenticate,
    limit: peers === undefined ? limit : shareLimit(limit, peers),
    log,
    resourceMetadataUrl(request) {
      const urls = extensions.values().map((extension) => extension.resourceMetadataUrl?.(request) ?? null);
      return urls.find((url) => url !== null) ?? null;
    },
    addressOf: (c) =>
      (c.env?.incoming && c.req.header('x-forwarded-for')) ?? c.env?.incoming?.socket.remoteAddress ?? 'unknown',
  };
  const streams = createStreamGuard(authenticate, {
    log,
    most: boundAll(config.maxStreams, peers?.count ?? 1, log),
    ...(peers !== undefined && { elsewhere: shareStreams(peers) }),
  });
  const urlOf = (request: Request): string => (config.externalUrl ?? originOf(request)).replace(/\/+$/, '');
  const tools = await createTools(ports.verbs, { config, features });
  const families = config.tools ?? tools.usual;
  const kept = keptBy(peers);
  const mcp = createMcpHandlers(engine, { log, tools, families, kept, urlOf }, config);
  const base = { ...ports, store, engine, config, tools, accounts, authenticate, tokenCheck, streams, urlOf, kept };
  const rest = {
    ...base,
    memoryTypes,
    timeZone,
    onSearch: peers === undefined ? observed.listen : shareSearches(observed.listen, peers),
    heartbeatMs: config.eventHeartbeatSeconds * 1000,
    grants: createGrants(store, systemClock),
    clock: systemClock,
    maxBodyBytes: config.maxBodyBytes,
    maxImportBytes: config.maxImportBytes,
    maxUploadBytes: config.maxUploadBytes,
    maxDocumentBytes: config.maxDocumentBytes,
  };
  const worker = peers === undefined ? null : peers.slot;
  const metrics = createMetrics({ tokenCheck, engine, listen: observed.listen, worker });
  extensions.push(...(await createExtensions({ ...base, rest, machine: THIS_MACHINE }, declaredBy(features))), metrics);
  sources.push(...extensions.flatMap((extension) => extension.credentials ?? []));
  const hosts = createHostGuard({
    bind: config.host,
    port: () => Number(new URL(ports.url()).port),
    isTls: config.tlsCert !== null,
    allowedHosts:
      config.externalUrl === null ? config.allowedHosts : [...config.allowedHosts, new URL(config.externalUrl).host],
    allowedOrigins: config.allowedOrigins,
  });
  return {
    http: {
      urlOf,
      ...tokenCheck,
      storeState: createStoreCheck(async () => {
        await ports.store.expectKnownSchema?.();
        await ports.store.head(OWNER_USER);
      }),
      rest,
      mcp,
      tools,
      families,
      routes: ports.verbs && routesOfTable(ports.verbs, ports.answers),
      hosts,
      allowedOrigins: config.allowedOrigins,
      vitals: async () =>
        Object.assign({}, ...(await Promise.all(extensions.map((extension) => extension.vitals?.())))),
      onAnswered: metrics.noteRequest,
      mounts: extensions.flatMap((extension) => extension.mounts ?? []),
    },
    listeners: extensions.flatMap((extension) => extension.listener ?? []),
    close: async () => {
      streams.close();
      await Promise.all([mcp.close(), ...extensions.map((extension) => extension.close?.())]);
    },
  };
}

/** Each process may have only so many files open. */
function boundAll(maxStreams: number, processes: number, log: Log): number {
  return Math.min(maxStreams, boundStreams(Math.ceil(maxStreams / processes), log) * processes);
}

/** Where tools are listed that remember things between calls, there are sessions for clients that know them. */
function createMcpHandlers(
  engine: Engine,
  options: McpAddressOptions,
  { mcpSessions }: Pick<Config, 'mcpSessions'>,
): McpHttpHandler {
  const { tools, families = [] } = options;
  const withSessions = createMcpHttpHandler(engine, { ...options, sessions: true });
  const areKept = (chosen: readonly string[]): boolean =>
    chosen.some((family) => tools.sessionFamilies.includes(family));
  if (mcpSessions || areKept(families)) return withSessions;
  const plain = createMcpHttpHandler(engine, { ...options, sessions: false });
  const wantsSession = ({ url, headers }: Request): boolean =>
    headers.has('mcp-session-id') || areKept(familiesIn(url, tools.families) ?? []);
  return {
    handle: (request, caller, body) => (wantsSession(request) ? withSessions : plain).handle(request, caller, body),
    close: async () => {
      await Promise.all([withSessions.close(), plain.close()]);
    },
  };
}

/** Workers keep their share of the sessions, each with its own mark. */
function keptBy(peers: Peers | undefined): KeptSessions {
  return peers === undefined ? {} : { share: 1 / peers.count, mark: (id) => markSession(peers, id) };
}

/** As the client sees it; what a proxy says of it has been checked. */
function originOf(request: Request): string {
  const { protocol, host } = new URL(request.url);
  return `${request.headers.get('x-forwarded-proto') ?? protocol.slice(0, -1)}://${host}`;
}

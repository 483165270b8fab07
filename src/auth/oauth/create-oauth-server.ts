import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorOut, KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Log } from '../../engine/ports.ts';
import { EngineError } from '../../model/errors.ts';
import { failureFacts } from '../../model/failure-facts.ts';
import type { AuthStore } from '../ports.ts';
import { hashToken, isSameHash } from '../tokens.ts';
import { type AuthorizationRequests, createAuthorizationRequests } from './authorization-requests.ts';
import type { OpenerPorts } from './find-opener.ts';
import { POLL_SECONDS } from './oauth-adapter.ts';
import { makeConfiguration, ROUTES } from './oauth-configuration.ts';
import type { OAuthOrigins } from './oauth-origins.ts';

/** What people see at the engine's own steps; each sets the body of the answer. */
export interface OAuthPages {
  showProblem(ctx: KoaContextWithOIDC, problem: ErrorOut): void;
  /** `problem` is the engine's name of what was wrong with the code before. */
  askDeviceCode(ctx: KoaContextWithOIDC, problem?: string): void;
  showDeviceDone(ctx: KoaContextWithOIDC, clientName: string): void;
  /** The store could not do its part, which is no fault of whoever asks. Sets the status too. */
  showFailure(ctx: KoaContextWithOIDC, error: EngineError): void;
}

export interface OAuthServerPorts extends OpenerPorts {
  store: AuthStore;
  issuer: string;
  origins: OAuthOrigins;
  log: Log;
  pages: OAuthPages;
  /** For development: client documents may lie on this machine. */
  allowLoopbackClients: boolean;
  /** May this address have us fetch a client document now? */
  allowFetch(address: string): boolean;
}

export interface OAuthServer extends AuthorizationRequests {
  /** Everything below /oauth but our own pages, and the discovery documents. The request's Host and scheme must have been set to the issuer's. */
  answer(request: IncomingMessage, response: ServerResponse): void;
}

const AMENDED = {
  scopes_supported: ['read', 'write', 'admin', 'offline_access'],
  response_modes_supported: ['query'],
  claims_supported: undefined,
};

/** The authorization server of one issuer. The engine is loaded here, when the first request needs it. */
export async function createOAuthServer(ports: OAuthServerPorts): Promise<OAuthServer> {
  const { Provider: Engine, errors, interactionPolicy } = await import('oidc-provider');
  const currentRoute = (): string | undefined => Engine.ctx?.oidc?.route;
  const configuration = await makeConfiguration(ports, { errors, interactionPolicy, currentRoute });
  const provider = new Engine(ports.issuer, configuration);
  // Not trust in a proxy: whoever calls `answer` has replaced these headers by what is known to be true.
  provider.proxy = true;
  provider.Client.prototype.compareClientSecret = function compareClientSecret(actual: string): boolean {
    return isSameHash(this.clientSecret ?? '', hashToken(actual));
  };
  provider.use(amendAnswers(provider, ports));
  reportTo(ports.log, provider);
  return { ...createAuthorizationRequests(provider, ports), answer: provider.callback() };
}

type Middleware = (ctx: KoaContextWithOIDC, next: () => Promise<void>) => Promise<void>;

/** Under which the log names a request, as its answer does. */
export function requestIdOf(response: ServerResponse): { request_id: string } {
  return { request_id: String(response.getHeader('X-Request-Id') ?? '') };
}

/** The engine calls all that it does not know an error of its own, and tells of it while it answers. */
function amendAnswers(provider: Provider, { pages, log }: Pick<OAuthServerPorts, 'pages' | 'log'>): Middleware {
  const failures = new WeakMap<IncomingMessage, EngineError>();
  provider.on('server_error', (ctx, error) => {
    log.error('oauth_failed', { ...failureFacts(error), ...requestIdOf(ctx.res), path: ctx.path });
    if (error instanceof EngineError) failures.set(ctx.req, error);
  });
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      log.error('oauth_failed', { ...failureFacts(error), ...requestIdOf(ctx.res), path: ctx.path });
      failures.set(ctx.req, error);
    }
    const failure = failures.get(ctx.req);
    if (failure === undefined) amendFacts(ctx);
    else pages.showFailure(ctx, failure);
  };
}

function amendFacts(ctx: KoaContextWithOIDC): void {
  if (ctx.status !== 200) return;
  const facts = ctx.body as Record<string, unknown>;
  if (ctx.path.startsWith('/.well-known/')) ctx.body = { ...facts, ...AMENDED };
  if (ctx.path === ROUTES.device_authorization) ctx.body = { ...facts, interval: POLL_SECONDS };
}

/** One line each, without codes or tokens. A device that waits for its person is refused nothing. */
function reportTo(log: Log, provider: Provider): void {
  const refused =
    (endpoint: string) =>
    (ctx: KoaContextWithOIDC, error: { message?: string; error_detail?: string; error_description?: string }) =>
      error.message !== 'authorization_pending' &&
      log.warn('oauth_refused', {
        endpoint,
        error: error.message ?? 'unknown',
        detail: error.error_detail ?? error.error_description ?? '',
        address: ctx.ip,
      });
  provider.on('authorization.error', refused('authorize'));
  provider.on('grant.error', refused('token'));
  provider.on('registration_create.error', refused('register'));
  provider.on('revocation.error', refused('revoke'));
  provider.on('device_authorization.error', refused('device'));
  provider.addListener('error' as 'server_error', (error: unknown) => log.error('oauth_failed', failureFacts(error)));
}

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Exchange } from '../auth/oauth/authorization-requests.ts';
import { createOAuthServer, type OAuthServer, requestIdOf } from '../auth/oauth/create-oauth-server.ts';
import { createOAuthTokens } from '../auth/oauth/grants.ts';
import { INTERACTION_PATH, ROUTES } from '../auth/oauth/oauth-configuration.ts';
import { createOrigins, describeResource, isResourcePath, type OAuthOrigins } from '../auth/oauth/oauth-origins.ts';
import { createRegistrationGuard, type RegistrationRefusal } from '../auth/oauth/registration-guard.ts';
import { createTokenBuckets } from '../auth/token-buckets.ts';
import { hashToken } from '../auth/tokens.ts';
import { EngineError } from '../model/errors.ts';
import { failureFacts } from '../model/failure-facts.ts';
import { addressKey } from '../model/networks.ts';
import { maskPath } from '../rest/check-token.ts';
import { systemClock } from '../settings/system-clock.ts';
import type { ExtensionPorts, ServerExtension } from './extension.ts';
import { boundBody, dropBody, MAX_OAUTH_BODY_BYTES } from './oauth-body.ts';
import { answerInteraction } from './oauth-interaction.ts';
import { createOAuthPages, sendFailure, sendJson, sendMessage } from './oauth-pages.ts';
import {
  addressOf,
  answerOrigin,
  beginAnswer,
  DEVICE_ALIAS,
  DISCOVERY,
  isPage,
  pathOf,
  prepareRequest,
} from './oauth-request.ts';

const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';

/** People let programs in: OAuth 2.1 with discovery, registration, consent and device codes. Nothing of it is loaded before the first request asks. */
export function oauthExtension(shared: ExtensionPorts): ServerExtension {
  const { config, store, log } = shared;
  if (!config.oauth) return {};
  const operatorKey = keyOf(config);
  const origins = createOrigins({ externalUrl: config.externalUrl, ownUrl: shared.url });
  const answer = createOAuthFront(shared, origins);
  return {
    credentials: [createOAuthTokens({ store, clock: systemClock, operatorKey, audience: origins.audience })],
    resourceMetadataUrl(request) {
      const origin = origins.resourceOriginFor(request.headers.get('host') ?? '');
      const path = /^\/mcp(\/sse)?(?=\/|$)/.exec(new URL(request.url).pathname)?.[0] ?? '';
      return origin === null ? null : `${origin}${RESOURCE_METADATA}${path}`;
    },
    listener(request, response) {
      const host = request.headers.host ?? '';
      const path = pathOf(request);
      const issuer = origins.issuerFor(host);
      const resource = path.startsWith(RESOURCE_METADATA) ? path.slice(RESOURCE_METADATA.length) : null;
      const isMetadata = resource !== null && isResourcePath(resource);
      if (issuer === null || !(isMetadata || path.startsWith('/oauth/') || DISCOVERY.test(path))) return false;
      beginAnswer(request, response, { log, isHttps: issuer.startsWith('https:') });
      if (answerOrigin(request, response, config.allowedOrigins)) return true;
      if (isMetadata) {
        sendJson(response, describeResource(origins.resourceOriginFor(host) ?? issuer, resource, issuer));
        return true;
      }
      answer(request, response, issuer).catch((error: unknown) => {
        log.error('oauth_failed', { ...failureFacts(error), ...requestIdOf(response), path: maskPath(path) });
        if (response.headersSent) return;
        if (error instanceof EngineError) sendFailure(response, path, error);
        else
          sendMessage(response, 500, 'Something went wrong', 'The server could not complete the request. Try again.');
      });
      return true;
    },
  };
}

function keyOf({ apiKey }: ExtensionPorts['config']): string | null {
  return apiKey === null ? null : hashToken(apiKey);
}

/** Ten codes typed at once, then one a minute: 20^8 of them cannot be guessed in the ten minutes that one lives. */
const DEVICE_TRIES = { burst: 10, refillMs: 60_000 };
/** Each authorization and each page for a code that is begun is kept for ten minutes: a thousand at once, then ten a second. */
const BEGINNINGS = { burst: 1000, refillMs: 100 };
const BEGINNING_PATHS: readonly string[] = [
  ROUTES.authorization,
  ROUTES.code_verification,
  ROUTES.device_authorization,
  DEVICE_ALIAS,
];
/** Strangers have the server fetch what they name: twenty at once, then ten a minute. */
const DOCUMENT_FETCHES = { burst: 20, refillMs: 6000 };

/** A name in allowed_hosts holds for every port, so a stranger can make up many. */
const MAX_ENGINES = 8;

/** Answers a request that belongs to this issuer. */
export type OAuthFront = (request: IncomingMessage, response: ServerResponse, issuer: string) => Promise<void>;

/** What stands before the engine: limits, our own pages, and the engine itself, which the first request loads. */
function createOAuthFront(shared: ExtensionPorts, origins: OAuthOrigins): OAuthFront {
  const prefilled = new WeakMap<IncomingMessage, string>();
  const serverOf = createServerTable(shared, origins, prefilled);
  const refuse = createLimits(shared);
  let key: Promise<string> | undefined;
  const formKey = (): Promise<string> => {
    key ??= shared.store.keepSecret('oauth_form_key', randomBytes(32).toString('base64url'));
    return key;
  };
  return async (asked, response, issuer) => {
    const path = pathOf(asked);
    const refused = await refuse({ request: asked, response });
    if (refused !== null) return sendRefusal(response, path, refused);
    const request = await boundBody(asked);
    if (request === null) return refuseBody({ request: asked, response }, path);
    const server = await serverOf(issuer);
    if (path.startsWith(INTERACTION_PATH))
      return answerInteraction({ request, response }, { ...shared, server, formKey, address: addressOf(request) });
    // The engine's page for it needs a script.
    if (path === ROUTES.authorization && /[?&]response_mode=form_post\b/.test(request.url ?? ''))
      return sendMessage(response, 400, 'This cannot go on', NO_FORM_POST);
    prepareRequest(request, issuer, prefilled);
    server.answer(request, response);
  };
}

const NO_FORM_POST = 'The program asked for response_mode=form_post, which this server does not support.';

/** One engine for each name that the server goes by. */
function createServerTable(
  { config, store, log }: ExtensionPorts,
  origins: OAuthOrigins,
  prefilled: WeakMap<IncomingMessage, string>,
): (issuer: string) => Promise<OAuthServer> {
  const servers = new Map<string, Promise<OAuthServer>>();
  const fetches = createTokenBuckets(systemClock, DOCUMENT_FETCHES);
  const shared = {
    origins,
    store,
    clock: systemClock,
    operatorKey: keyOf(config),
    log,
    pages: createOAuthPages(prefilled),
    allowLoopbackClients: config.oauthLoopbackClients,
    allowFetch: (address: string) => fetches.take(addressKey(address)) === 0,
  };
  return (issuer) => {
    const server = servers.get(issuer) ?? createOAuthServer({ ...shared, issuer });
    servers.delete(issuer);
    servers.set(issuer, server);
    if (servers.size > MAX_ENGINES) servers.delete(servers.keys().next().value!);
    // A failure to start is not kept: the next request tries again.
    server.catch(() => servers.delete(issuer));
    return server;
  };
}

const CREATED = 201;

/** Whatever a stranger can have the server write down is counted by address. */
function createLimits({ store }: ExtensionPorts): (asked: Exchange) => Promise<RegistrationRefusal | null> {
  const registrations = createRegistrationGuard({ store, clock: systemClock });
  const beginnings = createTokenBuckets(systemClock, BEGINNINGS);
  const deviceTries = createTokenBuckets(systemClock, DEVICE_TRIES);
  return async ({ request, response }) => {
    const { method } = request;
    const path = pathOf(request);
    const key = addressKey(addressOf(request));
    if (method === 'POST' && path === ROUTES.registration) {
      const refused = await registrations.check(key);
      if (refused === null) response.on('finish', () => response.statusCode !== CREATED && registrations.giveBack(key));
      return refused;
    }
    if (method === 'POST' && path === ROUTES.code_verification)
      return refusal('Too many codes from this address.', deviceTries.take(key));
    return BEGINNING_PATHS.includes(path)
      ? refusal('Too many requests from this address.', beginnings.take(key))
      : null;
  };
}

function refusal(problem: string, wait: number): RegistrationRefusal | null {
  return wait === 0 ? null : { status: 429, problem, wait };
}

function sendRefusal(response: ServerResponse, path: string, { status, problem, wait }: RegistrationRefusal): void {
  response.setHeader('Retry-After', String(Math.ceil(wait / 1000)));
  if (isPage(path)) sendMessage(response, status, 'Please wait', problem);
  else sendJson(response, { error: 'temporarily_unavailable', error_description: problem }, status);
}

function refuseBody({ request, response }: Exchange, path: string): void {
  const problem = `The body is larger than ${MAX_OAUTH_BODY_BYTES} bytes.`;
  if (isPage(path)) sendMessage(response, 413, 'This cannot go on', problem);
  else sendJson(response, { error: 'invalid_request', error_description: problem }, 413);
  dropBody(request);
}

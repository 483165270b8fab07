import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { addressKey } from '../auth/address-key.ts';
import { createOAuthServer, type OAuthServer } from '../auth/oauth/create-oauth-server.ts';
import { INTERACTION_PATH, ROUTES } from '../auth/oauth/oauth-configuration.ts';
import type { OAuthOrigins } from '../auth/oauth/oauth-origins.ts';
import { createRegistrationGuard, type RegistrationRefusal } from '../auth/oauth/registration-guard.ts';
import { createTokenBuckets } from '../auth/token-buckets.ts';
import { messagePage } from '../pages/message-page.ts';
import type { ExtensionPorts } from './compose-http.ts';
import { answerInteraction } from './oauth-interaction.ts';
import { createOAuthPages, sendJson, sendPage } from './oauth-pages.ts';
import { addressOf, DEVICE_ALIAS, pathOf, prepareRequest } from './oauth-request.ts';
import { systemClock } from './system-clock.ts';

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
export function createOAuthFront(shared: ExtensionPorts, origins: OAuthOrigins): OAuthFront {
  const prefilled = new WeakMap<IncomingMessage, string>();
  const serverOf = createServerTable(shared, origins, prefilled);
  const refuse = createLimits(shared);
  let key: Promise<string> | undefined;
  const formKey = (): Promise<string> => {
    key ??= shared.store.keepSecret('oauth_form_key', randomBytes(32).toString('base64url'));
    return key;
  };
  return async (request, response, issuer) => {
    const path = pathOf(request);
    const refused = await refuse({ request, response, path });
    if (refused !== null) return sendRefusal(response, path, refused);
    const server = await serverOf(issuer);
    if (path.startsWith(INTERACTION_PATH))
      return answerInteraction({ request, response }, { ...shared, server, formKey, address: addressOf(request) });
    // The engine's page for it needs a script.
    if (path === ROUTES.authorization && /[?&]response_mode=form_post\b/.test(request.url ?? ''))
      return sendPage(response, NO_FORM_POST, 400);
    prepareRequest(request, issuer, prefilled);
    server.answer(request, response);
  };
}

const NO_FORM_POST = messagePage(
  'This cannot go on',
  'The program asked for an answer in a form (form_post), which this server does not give.',
);

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

interface Asked {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
}

/** Whatever a stranger can have the server write down is counted by address. */
function createLimits({ store }: ExtensionPorts): (asked: Asked) => Promise<RegistrationRefusal | null> {
  const registrations = createRegistrationGuard({ store, clock: systemClock });
  const beginnings = createTokenBuckets(systemClock, BEGINNINGS);
  const deviceTries = createTokenBuckets(systemClock, DEVICE_TRIES);
  return async ({ request, response, path }) => {
    const { method } = request;
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
  if (path === ROUTES.code_verification || path === ROUTES.authorization)
    sendPage(response, messagePage('Please wait', problem), status);
  else sendJson(response, { error: 'temporarily_unavailable', error_description: problem }, status);
}

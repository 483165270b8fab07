import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { Configuration, errors, interactionPolicy, JWK, KoaContextWithOIDC } from 'oidc-provider';
import type { Secrets } from '../../engine/ports.ts';
import { SCOPES } from '../../model/caller.ts';
import { CLI_CLIENT } from '../../model/identity.ts';
import { findSignIn } from './authorization-requests.ts';
import { readClient } from './client-policy.ts';
import type { OAuthServerPorts } from './create-oauth-server.ts';
import { fetchClientDocument, MAX_DOCUMENT_BYTES } from './fetch-client-document.ts';
import { GRANT_MS } from './grants.ts';
import { createAdapter } from './oauth-adapter.ts';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
/** Of somebody who has not signed in yet. */
const NEW_SESSION = 10 * MINUTE;
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const DEFAULT_SCOPE = 'read write';

export const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  device_authorization: '/oauth/device_authorization',
  code_verification: '/oauth/device',
  jwks: '/oauth/jwks',
  end_session: '/oauth/session/end',
} as const;
export const INTERACTION_PATH = '/oauth/interaction/';

/** The engine's own names, from the module that is loaded when the first request needs it. */
export interface EngineNames {
  errors: typeof errors;
  interactionPolicy: typeof interactionPolicy;
  currentRoute(): string | undefined;
}

export async function makeConfiguration(ports: OAuthServerPorts, names: EngineNames): Promise<Configuration> {
  const { store, clock, issuer } = ports;
  const adapterPorts = {
    store,
    clock,
    alreadyUsed: () => new names.errors.InvalidGrant('already used'),
    tooFast: () => new names.errors.SlowDown(),
    isTokenRequest: () => names.currentRoute() === 'token',
  };
  const { jwks, cookies } = await keepKeys(store, issuer.startsWith('https:'));
  return {
    adapter: (model: string) => createAdapter(model, adapterPorts),
    jwks,
    cookies,
    clients: [CLI],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    // Only origins that the operator allows get as far as this.
    clientBasedCORS: () => true,
    // Every grant is made by a person at the consent page; none is carried over from an earlier one.
    loadExistingGrant: async (ctx) =>
      ctx.oidc.result?.consent?.grantId ? ctx.oidc.provider.Grant.find(ctx.oidc.result.consent.grantId) : undefined,
    findAccount: async (_ctx, id) => {
      const user = await store.findUser({ id });
      return user === null || user.suspendedAt !== null
        ? undefined
        : { accountId: id, claims: async () => ({ sub: id }) };
    },
    ...LIFETIMES,
    ...LIMITS,
    routes: ROUTES,
    extraParams: { scope: defaultScope },
    features: makeFeatures(ports, names, cookies.long),
    interactions: {
      policy: makePolicy(ports, names),
      url: (_ctx, interaction) => `${INTERACTION_PATH}${interaction.uid}`,
    },
    renderError: (ctx, out) => ports.pages.showProblem(ctx, out),
    fetch: (url) =>
      fetchClientDocument(url instanceof Request ? url.url : String(url), {
        allowLoopback: ports.allowLoopbackClients,
      }),
    fetchResponseBodyLimits: { 'client_id metadata document': MAX_DOCUMENT_BYTES },
  };
}

const CLI: NonNullable<Configuration['clients']>[number] = {
  client_id: CLI_CLIENT,
  client_name: 'ltm command line',
  application_type: 'native',
  grant_types: [DEVICE_GRANT, 'refresh_token'],
  response_types: [],
  redirect_uris: [],
  token_endpoint_auth_method: 'none',
};

const LIFETIMES: Configuration = {
  ttl: {
    AccessToken: 15 * MINUTE,
    AuthorizationCode: MINUTE,
    DeviceCode: 10 * MINUTE,
    Interaction: 10 * MINUTE,
    RefreshToken: 30 * DAY,
    Grant: GRANT_MS / 1000,
    Session: (_ctx, session) => (session.accountId === undefined ? NEW_SESSION : DAY / 3),
    IdToken: 15 * MINUTE,
  },
  clockTolerance: 0,
  rotateRefreshToken: true,
  expiresWithSession: () => false,
  issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
  // Whoever revokes one token of a grant ends the grant.
  revokeGrantPolicy: () => true,
};

const LIMITS: Configuration = {
  responseTypes: ['code'],
  scopes: ['offline_access'],
  claims: {},
  pkce: { required: () => true },
  allowOmittingSingleRegisteredRedirectUri: false,
  acceptQueryParamAccessTokens: false,
  enabledJWA: {
    idTokenSigningAlgValues: ['ES256'],
    userinfoSigningAlgValues: ['ES256'],
    clientAuthSigningAlgValues: ['ES256'],
  },
};

function makeFeatures(
  { origins, issuer, pages, allowFetch }: OAuthServerPorts,
  names: EngineNames,
  cookie: CookieOptions,
): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    // Tokens bound to a key would have to be checked at every door.
    dPoP: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
    registration: {
      enabled: true,
      initialAccessToken: false,
      issueRegistrationAccessToken: false,
      idFactory: (ctx) => {
        applyPolicy(ctx, names);
        return `app_${randomBytes(16).toString('base64url')}`;
      },
    },
    clientIdMetadataDocument: { enabled: true, ack: 'draft-02', allowFetch: (ctx) => allowFetch(ctx.ip) },
    resourceIndicators: {
      enabled: true,
      defaultResource: (_ctx, _client, oneOf) => (oneOf === undefined ? issuer : oneOf[0]!),
      useGrantedResource: () => true,
      getResourceServerInfo: (_ctx, identifier) => {
        if (!origins.isOwnResource(identifier, issuer))
          throw new names.errors.InvalidTarget('this server does not serve that resource');
        return {
          scope: SCOPES.join(' '),
          audience: origins.audience(),
          accessTokenTTL: 15 * MINUTE,
          accessTokenFormat: 'opaque',
        };
      },
    },
    deviceFlow: {
      enabled: true,
      mask: '****-****',
      userCodeInputSource: async (ctx, _form, _out, error) => {
        if (error !== undefined) await keepNewSession(ctx, cookie);
        pages.askDeviceCode(ctx, error?.name);
      },
      userCodeConfirmSource: (ctx) => pages.askDeviceCode(ctx),
      successSource: (ctx) => pages.showDeviceDone(ctx, ctx.oidc.client?.clientName ?? 'The device'),
    },
  };
}

/** A form that was sent without a session is shown again, in a session begun for it; the engine would only save one that was there before. */
async function keepNewSession(ctx: KoaContextWithOIDC, cookie: CookieOptions): Promise<void> {
  const { session, provider, cookies } = ctx.oidc;
  if (session === undefined || typeof session.exp === 'number') return;
  cookies.set(provider.cookieName('session'), session.jti, cookie);
  await session.save(NEW_SESSION);
}

/** The engine asks for an id before it looks at what the client says of itself. */
function applyPolicy(ctx: KoaContextWithOIDC, { errors: engineErrors }: EngineNames): void {
  const client = readClient(ctx.oidc.body);
  if ('error' in client) {
    const error = new engineErrors.InvalidClientMetadata(client.message);
    throw Object.assign(error, { error: client.error, message: client.error });
  }
  const { client_id: _chosenByServer, ...described } = client;
  const body = ctx.oidc.body!;
  for (const name of Object.keys(body)) delete body[name];
  Object.assign(body, described);
}

/** For clients that name no scope of ours; what they do name is other servers'. */
function defaultScope(ctx: KoaContextWithOIDC, value: string | undefined): void {
  const wanted = value?.split(' ') ?? [];
  if (SCOPES.some((scope) => wanted.includes(scope))) return;
  ctx.oidc.params!.scope = wanted.includes('offline_access') ? `${DEFAULT_SCOPE} offline_access` : DEFAULT_SCOPE;
}

/** The engine's own questions, and one more: is the person in the browser session still who they were? */
function makePolicy(
  ports: OAuthServerPorts,
  { interactionPolicy: policies }: EngineNames,
): interactionPolicy.DefaultPolicy {
  const policy = policies.base();
  const check = new policies.Check('sign_in_ended', 'the person has to sign in again', async (ctx) => {
    const { session } = ctx.oidc;
    return session?.accountId !== undefined && (await findSignIn(ports, session.accountId, session.amr)) === null;
  });
  policy.get('login')!.checks.add(check);
  return policy;
}

type CookieOptions = NonNullable<NonNullable<Configuration['cookies']>['long']>;

/** Made once, kept in the database, the same on every node and after every restart. */
async function keepKeys(
  store: Secrets,
  isHttps: boolean,
): Promise<
  Required<Pick<Configuration, 'jwks'>> & { cookies: NonNullable<Configuration['cookies']> & { long: CookieOptions } }
> {
  const cookieKey = await store.keepSecret('oauth_cookie_key', randomBytes(32).toString('base64url'));
  const jwk = JSON.parse(await store.keepSecret('oauth_signing_key', JSON.stringify(makeSigningKey()))) as JWK;
  // The engine binds the two short ones to a path of their own, which the prefix __Host- does not allow.
  const names = isHttps
    ? { session: '__Host-ltm_session', interaction: '__Secure-ltm_interaction', resume: '__Secure-ltm_resume' }
    : { session: 'ltm_session', interaction: 'ltm_interaction', resume: 'ltm_resume' };
  const options = { httpOnly: true, sameSite: 'lax', signed: true, secure: isHttps } as const;
  return {
    jwks: { keys: [jwk] },
    cookies: { keys: [cookieKey], names, long: { ...options, path: '/' }, short: options },
  };
}

function makeSigningKey(): JWK {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = privateKey.export({ format: 'jwk' });
  const kid = createHash('sha256').update(`${jwk.x}${jwk.y}`).digest('base64url').slice(0, 16);
  return { ...jwk, kty: 'EC', kid, use: 'sig', alg: 'ES256' };
}

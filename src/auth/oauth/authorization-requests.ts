import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Interaction, Provider } from 'oidc-provider';
import { SCOPES, type Scope } from '../../model/caller.ts';
import type { TeamId, User, UserId } from '../../model/identity.ts';
import type { Users } from '../ports.ts';
import { hashToken } from '../tokens.ts';
import type { OAuthServerPorts } from './create-oauth-server.ts';
import { findOpener, type OpenerPorts } from './find-opener.ts';
import { keepConsent } from './grants.ts';
import { keepClient } from './oauth-adapter.ts';

/** How a person has just proved who they are. */
export type SignInProof = { by: 'password' } | { by: 'token'; token: string };

/** Somebody at the browser, and what they can give away: with a token, no more than the token has. */
export interface SignIn {
  user: User;
  scopes: readonly Scope[];
  /** Set: they can let programs into this team's space alone. */
  teamId: TeamId | null;
  /** Of the token or key that they signed in with. */
  tokenSha256: string | null;
}

const TOKEN = 'token:';
const PASSWORD = 'password:';

/** For the browser session's list of methods, which is all that the engine keeps for us: it names the very password or token, by a hash. */
async function toMethods(store: Users, userId: UserId, proof: SignInProof): Promise<string[]> {
  return [proof.by === 'token' ? TOKEN + hashToken(proof.token) : PASSWORD + (await passwordMark(store, userId))];
}

/** Asked at every step: a session ends with the person, and with the password or the token that opened it. */
export async function findSignIn(
  ports: OpenerPorts,
  userId: UserId,
  methods: readonly string[] | undefined,
): Promise<SignIn | null> {
  const { store } = ports;
  const user = await store.findUser({ id: userId });
  const [method = ''] = methods ?? [];
  if (user === null || user.suspendedAt !== null) return null;
  if (method.startsWith(PASSWORD))
    return method === PASSWORD + (await passwordMark(store, userId))
      ? { user, scopes: SCOPES, teamId: null, tokenSha256: null }
      : null;
  if (!method.startsWith(TOKEN)) return null;
  const token = await findOpener(ports, method.slice(TOKEN.length));
  if (token === null || token.userId !== userId) return null;
  return {
    user,
    scopes: SCOPES.filter((scope) => token.scopes.includes(scope)),
    teamId: token.teamId,
    tokenSha256: token.sha256,
  };
}

/** Changes with the password, and tells nothing about it. */
async function passwordMark(store: Users, userId: UserId): Promise<string> {
  const hash = await store.findPassword(userId);
  return hash === null ? 'none' : hashToken(hash).slice(0, 32);
}

/** What waits for a person's answer. */
export interface PendingRequest {
  uid: string;
  client: {
    id: string;
    name: string /** Who vouches for the name: the host of the client's own document. */;
    host: string | null;
  };
  /** Where the answer goes; null: to a device. */
  redirectUri: string | null;
  /** What the device said of itself when it asked for its code. */
  device: { userAgent: string; address: string } | null;
  /** Of those that we know. */
  scopes: readonly Scope[];
  /** Who has signed in, if anybody. */
  signIn: SignIn | null;
}

export interface Permission {
  scopes: readonly Scope[];
  teamId: TeamId | null;
}

/** The person's side of an authorization: who they are, and whether they agree. Each verb but the first answers the request. */
export interface AuthorizationRequests {
  /** null: the request is unknown, over, or another browser's. */
  findRequest(request: IncomingMessage, response: ServerResponse): Promise<PendingRequest | null>;
  signIn(exchange: Exchange, userId: UserId, proof: SignInProof): Promise<void>;
  signOut(exchange: Exchange): Promise<void>;
  allow(exchange: Exchange, pending: PendingRequest, permission: Permission): Promise<void>;
  deny(exchange: Exchange): Promise<void>;
}

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

const DENIED = { error: 'access_denied', error_description: 'The person said no.' };
type ResultAndOptions =
  Parameters<Provider['interactionFinished']> extends [unknown, unknown, ...infer Rest] ? Rest : never;

export function createAuthorizationRequests(provider: Provider, ports: OAuthServerPorts): AuthorizationRequests {
  const { store, clock } = ports;
  const finish = ({ request, response }: Exchange, ...result: ResultAndOptions): Promise<void> =>
    provider.interactionFinished(request, response, ...result);
  const find = async ({ request, response }: Exchange): Promise<Interaction | null> => {
    try {
      return await provider.interactionDetails(request, response);
    } catch (error) {
      if (error instanceof Error && error.name === 'SessionNotFound') return null;
      throw error;
    }
  };
  return {
    async findRequest(request, response) {
      const interaction = await find({ request, response });
      return interaction === null ? null : describe(interaction, provider, ports);
    },
    async signIn(exchange, userId, proof) {
      const interaction = await find(exchange);
      const earlier = interaction?.session;
      if (interaction && earlier !== undefined && earlier.accountId !== userId)
        await forgetSession(interaction, provider);
      const login = { accountId: userId, amr: await toMethods(store, userId, proof), remember: true };
      await finish(exchange, { login }, { mergeWithLastSubmission: false });
    },
    async signOut(exchange) {
      const interaction = await find(exchange);
      if (interaction) await forgetSession(interaction, provider);
    },
    async allow(exchange, pending, permission) {
      const interaction = await find(exchange);
      if (interaction === null || pending.signIn === null) throw new Error('nobody has signed in');
      const grantId = await saveGrant(provider, resourcesOf(interaction), { pending, permission });
      const { client, signIn, redirectUri } = pending;
      await keepConsent(store, grantId, {
        ...permission,
        userId: signIn.user.id,
        clientId: client.id,
        name: client.name,
        redirectHost: redirectUri === null ? null : hostOf(redirectUri),
        createdAt: clock.now(),
        tokenSha256: signIn.tokenSha256,
      });
      await keepClient(store, client.id, clock);
      await finish(exchange, { consent: { grantId } });
    },
    deny: (exchange) => finish(exchange, DENIED, { mergeWithLastSubmission: false }),
  };
}

/** The engine's own record of what was allowed, and of what was asked for and was not. */
async function saveGrant(
  provider: Provider,
  resources: readonly string[],
  { pending, permission }: { pending: PendingRequest; permission: Permission },
): Promise<string> {
  const grant = new provider.Grant({ accountId: pending.signIn!.user.id, clientId: pending.client.id });
  grant.addOIDCScope('offline_access');
  const rejected = pending.scopes.filter((scope) => !permission.scopes.includes(scope));
  for (const resource of resources) {
    grant.addResourceScope(resource, permission.scopes.join(' '));
    if (rejected.length > 0) grant.rejectResourceScope(resource, rejected.join(' '));
  }
  return grant.save();
}

async function describe(
  interaction: Interaction,
  provider: Provider,
  ports: OAuthServerPorts,
): Promise<PendingRequest | null> {
  const asked = interaction.params as Record<string, string | undefined>;
  const client = asked.client_id === undefined ? undefined : await provider.Client.find(asked.client_id);
  if (client === undefined) return null;
  const { session, deviceCode } = interaction;
  const code = deviceCode === undefined ? undefined : await provider.DeviceCode.find(deviceCode);
  const { ua = '', ip = '' } = code?.deviceInfo ?? {};
  const wanted = new Set((asked.scope ?? '').split(' '));
  const host = URL.canParse(client.clientId) ? new URL(client.clientId).host : null;
  return {
    uid: interaction.uid,
    client: { id: client.clientId, name: client.clientName ?? host ?? 'A program without a name', host },
    redirectUri: asked.redirect_uri ?? null,
    device: code === undefined ? null : { userAgent: String(ua), address: String(ip) },
    scopes: SCOPES.filter((known) => wanted.has(known)),
    signIn:
      session === undefined || interaction.prompt.name !== 'consent'
        ? null
        : await findSignIn(ports, session.accountId, session.amr),
  };
}

/** Whoever signs in next starts a session of their own. */
async function forgetSession(interaction: Interaction, provider: Provider): Promise<void> {
  const { session } = interaction;
  if (session === undefined) return;
  await (await provider.Session.findByUid(session.uid))?.destroy();
  delete interaction.session;
  await interaction.persist();
}

function resourcesOf(interaction: Interaction): string[] {
  const { resource } = interaction.params;
  return [resource].flat().filter((item): item is string => typeof item === 'string');
}

export function hostOf(uri: string): string {
  const { protocol, host } = new URL(uri);
  return protocol === 'https:' || protocol === 'http:' ? host : `${protocol}//`;
}

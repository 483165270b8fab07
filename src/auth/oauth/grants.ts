import type { Clock } from '../../engine/ports.ts';
import { type Caller, SCOPES, type Scope } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { Grant, TeamId, UserId } from '../../model/identity.ts';
import type { Instant } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { CredentialSource } from '../authenticate.ts';
import type { IdentityChanges, OAuthArtifact, OAuthStore, Tokens, Users } from '../ports.ts';
import { hashToken } from '../tokens.ts';
import { findOpener, type OpenerPorts } from './find-opener.ts';
import { CONSENT, endGrant, isPast } from './oauth-adapter.ts';

/** What a person has allowed one program to do. As long as it is kept, the program's tokens hold. */
export interface ConnectedApp {
  /** Safe to show: it opens nothing. */
  id: string;
  userId: UserId;
  clientId: string;
  name: string;
  /** Where the program gets its codes: the part of its name that cannot be made up. null for a device. */
  redirectHost: string | null;
  scopes: readonly Scope[];
  teamId: TeamId | null;
  createdAt: Instant;
  /** Of the personal token, or the operator's key, that the person signed in with: what it gave away ends with it. null: they signed in with a password, and it ends with that. */
  tokenSha256: string | null;
}

/** After a year the person is asked again, however busy the program has been. */
export const GRANT_MS = 365 * 24 * 3600_000;

export async function keepConsent(
  store: IdentityChanges & OAuthStore,
  grantId: string,
  app: Omit<ConnectedApp, 'id'>,
): Promise<void> {
  const id = hashToken(grantId);
  const { userId, createdAt, teamId } = app;
  await store.changeIdentity([{ op: 'add_grant', grant: { id, teamId } }], userId);
  const payload: JsonObject = { ...app, scopes: [...app.scopes] };
  const names = { model: CONSENT, id, grantId: id, userId, userCode: null, uid: null };
  await store.putArtifact({ ...names, payload, expiresAt: createdAt + GRANT_MS, consumedAt: null });
}

/** null: the person has taken it back, or it has run out. */
export async function findConsent(store: OAuthStore, grantId: string, clock: Clock): Promise<ConnectedApp | null> {
  const found = await store.findArtifact(CONSENT, { id: hashToken(grantId) });
  return found === null || isPast(found, clock) ? null : toApp(found);
}

/** What this person allowed after signing in with a password: it ends with the password. */
export async function listPasswordGrants(store: OAuthStore, userId: UserId): Promise<Grant[]> {
  return (await store.listArtifacts(CONSENT, userId)).map(toApp).filter(({ tokenSha256 }) => tokenSha256 === null);
}

export interface Grants {
  /** Latest first. A program sees itself alone, unless it may administer; a credential of one team sees what is let into that team. */
  list(caller: Caller): Promise<ConnectedApp[]>;
  /** Acts at once. A foreign grant and one that does not exist look the same. */
  revoke(caller: Caller, id: string): Promise<ConnectedApp>;
}

/** The programs that a person has let in, and the way to put them out. */
export function createGrants(store: IdentityChanges & OAuthStore, clock: Clock): Grants {
  const grants: Grants = {
    async list(caller) {
      const kept = (await store.listArtifacts(CONSENT, caller.userId))
        .filter((artifact) => !isPast(artifact, clock))
        .map(toApp);
      return kept.filter((app) => isVisible(app, caller)).sort((a, b) => b.createdAt - a.createdAt);
    },
    async revoke(caller, id) {
      const app = (await grants.list(caller)).find((one) => one.id === id);
      if (app === undefined)
        throw new EngineError('not_found', 'There is no such connected app.', {
          hint: 'GET /api/v1/grants lists them with their ids.',
        });
      await endGrant(store, id, caller.userId);
      return app;
    },
  };
  return grants;
}

function isVisible({ id, teamId }: ConnectedApp, { userId, roles, scopes, credential }: Caller): boolean {
  if (credential?.kind === 'oauth' && !scopes.has('admin')) return credential.id === id;
  return roles.has(userId) || (teamId !== null && roles.has(teamId));
}

function toApp({ id, payload }: OAuthArtifact): ConnectedApp {
  return { ...(payload as Omit<ConnectedApp, 'id'> & JsonObject), id };
}

const FORM = /^[A-Za-z0-9_-]{43}$/;

export interface OAuthTokenPorts extends OpenerPorts {
  store: Users & Tokens & OAuthStore;
  /** What tokens must have been made for to be good here. */
  audience(): string;
}

/** Access tokens that a person let a program have. Everything is asked of the store each time, so that whatever is taken back stops at once, on every node. */
export function createOAuthTokens(ports: OAuthTokenPorts): CredentialSource {
  const { store, clock, audience } = ports;
  return {
    async find(value) {
      if (!FORM.test(value)) return null;
      const token = await store.findArtifact('AccessToken', { id: hashToken(value) });
      if (token === null) return null;
      const { aud, scope, clientId, grantId } = token.payload;
      if (isPast(token, clock)) return 'expired';
      if (aud !== audience()) return 'audience';
      const app = typeof grantId === 'string' ? await findConsent(store, grantId, clock) : null;
      if (app === null || app.userId !== token.userId || app.clientId !== clientId) return 'revoked';
      const parent = app.tokenSha256 === null ? null : await findOpener(ports, app.tokenSha256);
      if (app.tokenSha256 !== null && parent === null) return 'revoked';
      const granted = new Set(typeof scope === 'string' ? scope.split(' ') : []);
      const scopes = SCOPES.filter((known) => granted.has(known) && app.scopes.includes(known));
      const { id, userId, teamId } = app;
      return { kind: 'oauth', id, userId, scopes, teamId, agent: parent?.agent ?? null, clientId: app.clientId };
    },
  };
}

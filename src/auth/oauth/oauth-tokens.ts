import type { Clock } from '../../engine/ports.ts';
import { SCOPES } from '../../model/caller.ts';
import type { CredentialSource } from '../authenticate.ts';
import type { AuthStore } from '../ports.ts';
import { isActive } from '../tokens.ts';
import { findConsent } from './grants.ts';
import { hashId, isPast } from './oauth-adapter.ts';

const FORM = /^[A-Za-z0-9_-]{43}$/;

export interface OAuthTokenPorts {
  store: AuthStore;
  clock: Clock;
  /** What tokens must have been made for to be good here. */
  audience(): string;
}

/** Access tokens that a person let a program have. Everything is asked of the store each time, so that whatever is taken back stops at once, on every node. */
export function createOAuthTokens({ store, clock, audience }: OAuthTokenPorts): CredentialSource {
  return {
    async find(value) {
      if (!FORM.test(value)) return null;
      const token = await store.findArtifact('AccessToken', { id: hashId(value) });
      if (token === null) return null;
      const { aud, scope, clientId, grantId } = token.payload;
      if (isPast(token, clock)) return 'expired';
      if (aud !== audience()) return 'audience';
      const app = typeof grantId === 'string' ? await findConsent(store, grantId, clock) : null;
      if (app === null || app.userId !== token.userId || app.clientId !== clientId) return 'revoked';
      const parent = app.tokenSha256 === null ? null : await store.findToken(app.tokenSha256);
      if (app.tokenSha256 !== null && (parent === null || !isActive(parent, clock.now()))) return 'revoked';
      const granted = new Set(typeof scope === 'string' ? scope.split(' ') : []);
      const scopes = SCOPES.filter((known) => granted.has(known) && app.scopes.includes(known));
      return {
        kind: 'oauth',
        id: app.id,
        userId: app.userId,
        scopes,
        teamId: app.teamId,
        agent: parent?.agent ?? null,
        clientId: app.clientId,
      };
    },
  };
}

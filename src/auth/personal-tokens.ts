import type { Clock, Log } from '../engine/ports.ts';
import { EngineError } from '../model/errors.ts';
import type { AccessToken } from '../model/identity.ts';
import type { CredentialSource } from './credential.ts';
import type { IdentityStore } from './ports.ts';
import { couldBeToken, hashToken, isActive, isSameHash } from './tokens.ts';

const TOUCH_EVERY_MS = 60_000;

export interface PersonalTokenPorts {
  identity: Pick<IdentityStore, 'findToken' | 'touchToken'>;
  clock: Clock;
  log: Log;
}

/** Tokens that people made for their machines and agents. Asked of the store each time, so that a revoked one stops at once. */
export function createPersonalTokens(ports: PersonalTokenPorts): CredentialSource {
  return {
    async find(value) {
      if (!couldBeToken(value)) return null;
      const sha256 = hashToken(value);
      const token = await ports.identity.findToken(sha256);
      if (token === null || !isSameHash(token.sha256, sha256)) return null;
      if (token.revokedAt !== null) return 'revoked';
      if (!isActive(token, ports.clock.now())) return 'expired';
      await noteUse(ports, token);
      const { id, userId, scopes, teamId, agent } = token;
      return { kind: 'personal', id, userId, scopes, teamId, agent, clientId: null };
    },
  };
}

/** Reads must go on when nothing can be written any more, so a failed note is logged and the request goes on. */
async function noteUse({ identity, clock, log }: PersonalTokenPorts, token: AccessToken): Promise<void> {
  const now = clock.now();
  if (token.lastUsedAt !== null && now - token.lastUsedAt < TOUCH_EVERY_MS) return;
  try {
    await identity.touchToken(token.id, now);
  } catch (error) {
    log.warn('token_use_not_noted', { token: token.id, code: error instanceof EngineError ? error.code : 'internal' });
  }
}

import type { Clock, Log } from '../engine/ports.ts';
import type { Caller, Door } from '../model/caller.ts';
import { EngineError } from '../model/errors.ts';
import { createFailureLimit } from './failure-limit.ts';
import type { AccessToken, TokenStore } from './ports.ts';
import { hashToken, hasTokenForm, isActive, isSameHash } from './tokens.ts';

type RefusalReason = 'missing' | 'malformed' | 'unknown' | 'revoked' | 'expired';

export type Authentication =
  | { outcome: 'accepted'; token: AccessToken }
  /** `limited`: too many wrong tokens from this address. */
  | { outcome: 'refused'; reason: RefusalReason; limited: boolean };

export interface AuthenticatorPorts {
  tokens: TokenStore;
  clock: Clock;
  log: Log;
}

const TOUCH_EVERY_MS = 60_000;

/**
 * Who sends this Authorization header? A bearer token in that header is the only credential:
 * one in a URL, a cookie or a body leaks into logs, histories and other sites' requests.
 */
export function createAuthenticator(ports: AuthenticatorPorts): (authorization: string | undefined, address: string) => Promise<Authentication> {
  const limit = createFailureLimit(ports.clock);
  return async (authorization, address) => {
    const found = await findToken(ports, authorization);
    if (typeof found !== 'string') {
      await noteUse(ports, found);
      return { outcome: 'accepted', token: found };
    }
    return { outcome: 'refused', reason: found, limited: found !== 'missing' && !limit.allow(address) };
  };
}

async function findToken({ tokens, clock }: AuthenticatorPorts, authorization: string | undefined): Promise<AccessToken | RefusalReason> {
  if (authorization === undefined || authorization.trim() === '') return 'missing';
  const value = /^bearer +(\S+)$/i.exec(authorization.trim())?.[1];
  if (value === undefined || !hasTokenForm(value)) return 'malformed';
  const sha256 = hashToken(value);
  const token = await tokens.findToken(sha256);
  if (token === null || !isSameHash(token.sha256, sha256)) return 'unknown';
  if (token.revokedAt !== null) return 'revoked';
  return isActive(token, clock.now()) ? token : 'expired';
}

/** Reads must go on when nothing can be written any more, so a failed note is logged and the request goes on. */
async function noteUse({ tokens, clock, log }: AuthenticatorPorts, token: AccessToken): Promise<void> {
  const now = clock.now();
  if (token.lastUsedAt !== null && now - token.lastUsedAt < TOUCH_EVERY_MS) return;
  try {
    await tokens.touchToken(token.id, now);
  } catch (error) {
    log.warn('token_use_not_noted', { token: token.id, code: error instanceof EngineError ? error.code : 'internal' });
  }
}

/** Everybody's own space bears their user id. */
export function callerOf(token: AccessToken, door: Door, client?: string): Caller {
  const caller: Caller = { userId: token.userId, space: token.userId, spaces: [token.userId], scopes: new Set(token.scopes), door };
  return client === undefined ? caller : { ...caller, client };
}

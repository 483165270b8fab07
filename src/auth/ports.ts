import type { Scope } from '../model/caller.ts';
import type { Instant } from '../model/ids.ts';

/** A credential as it is kept: the secret itself is never stored, only its SHA-256. */
export interface AccessToken {
  id: string;
  /** Of the whole token text, hexadecimal. */
  sha256: string;
  userId: string;
  name: string;
  scopes: readonly Scope[];
  createdAt: Instant;
  lastUsedAt: Instant | null;
  revokedAt: Instant | null;
  expiresAt: Instant | null;
}

/** Where access tokens are kept. */
export interface TokenStore {
  /** Revoked and expired tokens are found too: whoever authenticates must look at `revokedAt` and `expiresAt`. */
  findToken(sha256: string): Promise<AccessToken | null>;
  /** Throws EngineError conflict when the id or the hash is in use. */
  addToken(token: AccessToken): Promise<void>;
  /** Oldest first, revoked ones included. */
  listTokens(): Promise<AccessToken[]>;
  /** False when there is no such token. A token already revoked keeps its first time. */
  revokeToken(id: string, at: Instant): Promise<boolean>;
  /** Notes the last use, to the minute, so that a busy token does not cost a write per request. */
  touchToken(id: string, at: Instant): Promise<void>;
}

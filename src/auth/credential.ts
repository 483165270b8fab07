import type { Scope } from '../model/caller.ts';
import type { TeamId, UserId } from '../model/identity.ts';

export type RefusalReason = 'missing' | 'malformed' | 'unknown' | 'revoked' | 'expired' | 'suspended' | 'audience';

/** What a valid bearer token says about its bearer. */
export interface Credential {
  kind: 'personal' | 'file' | 'oauth';
  /** Of the token's stored form; for logs and for closing what it has opened. */
  id: string;
  userId: UserId;
  scopes: readonly Scope[];
  /** Set: it opens this team's space and nothing else. */
  teamId: TeamId | null;
  agent: string | null;
  /** The OAuth client that the person let in. */
  clientId: string | null;
}

/** One kind of bearer token. */
export interface CredentialSource {
  /** null: not a token of this kind, ask the next source. A reason: it was one, and is refused. */
  find(value: string): Promise<Credential | RefusalReason | null>;
}

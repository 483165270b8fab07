import type { Clock } from '../../engine/ports.ts';
import { OWNER_USER, SCOPES } from '../../model/caller.ts';
import type { AccessToken } from '../../model/identity.ts';
import type { Tokens, Users } from '../ports.ts';
import { isActive } from '../tokens.ts';

export interface OpenerPorts {
  store: Users & Tokens;
  clock: Clock;
  /** SHA-256 of the key that the operator has set; null: there is none. */
  operatorKey: string | null;
}

/** What a person signed in with, where that was no password: as long as it holds, so does what was given away with it. */
export type Opener = Pick<AccessToken, 'userId' | 'scopes' | 'teamId' | 'agent' | 'sha256'>;

/** A token of theirs, or the operator's key, which is the owner's and ends when another one is set. null: it holds no longer. */
export async function findOpener({ store, clock, operatorKey }: OpenerPorts, sha256: string): Promise<Opener | null> {
  if (sha256 === operatorKey) return { userId: OWNER_USER, scopes: SCOPES, teamId: null, agent: null, sha256 };
  const token = await store.findToken(sha256);
  return token !== null && isActive(token, clock.now()) ? token : null;
}

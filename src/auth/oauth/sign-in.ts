import type { Clock } from '../../engine/ports.ts';
import type { Scope } from '../../model/caller.ts';
import type { TeamId, User, UserId } from '../../model/identity.ts';
import type { AuthStore } from '../ports.ts';
import { hashToken, isActive } from '../tokens.ts';

/** How a person has just proved who they are. */
export type SignInProof = { by: 'password' } | { by: 'token'; token: string };

/** Somebody at the browser, and what they can give away: with a token, no more than the token has. */
export interface SignIn {
  user: User;
  scopes: readonly Scope[];
  /** Set: they can let programs into this team's space alone. */
  teamId: TeamId | null;
  /** Of the token that they signed in with. */
  tokenSha256: string | null;
}

const EVERYTHING: readonly Scope[] = ['read', 'write', 'admin'];
const TOKEN = 'token:';
const PASSWORD = 'password:';

/** For the browser session's list of methods, which is all that the engine keeps for us: it names the very password or token, by a hash. */
export async function toMethods(store: AuthStore, userId: UserId, proof: SignInProof): Promise<string[]> {
  return [proof.by === 'token' ? TOKEN + hashToken(proof.token) : PASSWORD + (await passwordMark(store, userId))];
}

/** Asked at every step: a session ends with the person, and with the password or the token that opened it. */
export async function findSignIn(
  { store, clock }: { store: AuthStore; clock: Clock },
  userId: UserId,
  methods: readonly string[] | undefined,
): Promise<SignIn | null> {
  const user = await store.findUser({ id: userId });
  const [method = ''] = methods ?? [];
  if (user === null || user.suspendedAt !== null) return null;
  if (method.startsWith(PASSWORD))
    return method === PASSWORD + (await passwordMark(store, userId))
      ? { user, scopes: EVERYTHING, teamId: null, tokenSha256: null }
      : null;
  if (!method.startsWith(TOKEN)) return null;
  const token = await store.findToken(method.slice(TOKEN.length));
  if (token === null || token.userId !== userId || !isActive(token, clock.now())) return null;
  return {
    user,
    scopes: EVERYTHING.filter((scope) => token.scopes.includes(scope)),
    teamId: token.teamId,
    tokenSha256: token.sha256,
  };
}

/** Changes with the password, and tells nothing about it. */
async function passwordMark(store: AuthStore, userId: UserId): Promise<string> {
  const hash = await store.findPassword(userId);
  return hash === null ? 'none' : hashToken(hash).slice(0, 32);
}

import type {
  AccessToken,
  AuditEntry,
  IdentityChange,
  IdentityOutcome,
  Invite,
  Membership,
  PublicLink,
  Removal,
  Team,
  TeamId,
  User,
  UserId,
} from '../model/identity.ts';
import type { Instant } from '../model/ids.ts';
import type { JsonObject } from '../model/json.ts';

/** Where users, teams, tokens and invites are kept. */
export interface IdentityStore {
  /** Applies every change or none, in order, with a line each in the audit log. */
  changeIdentity(changes: readonly IdentityChange[], actor: string): Promise<IdentityOutcome>;

  /** Revoked and expired tokens are found too: whoever authenticates must look at `revokedAt` and `expiresAt`. */
  findToken(sha256: string): Promise<AccessToken | null>;
  /** Oldest first, revoked ones included; of one person or of all. */
  listTokens(userId?: UserId): Promise<AccessToken[]>;
  /** Notes the last use, to the minute, so that a busy token does not cost a write per request. */
  touchToken(id: string, at: Instant): Promise<void>;

  findUser(by: { id: UserId } | { email: string }): Promise<User | null>;
  /** Oldest first. */
  listUsers(): Promise<User[]>;
  findPassword(userId: UserId): Promise<string | null>;

  findTeam(by: { id: TeamId } | { name: string }): Promise<Team | null>;
  /** The teams a person is in, oldest team first. Asked at every request: one cheap query. */
  listMemberships(userId: UserId): Promise<(Membership & { team: Team })[]>;
  /** List the members of a team, longest-standing first. `user` is null for people that only a tokens file knows. */
  listMembers(teamId: TeamId): Promise<(Membership & { user: User | null })[]>;

  findInvite(sha256: string): Promise<Invite | null>;
  /** Oldest first, used ones included. */
  listInvites(teamId: TeamId): Promise<Invite[]>;
  /** null also while whoever published it is suspended. */
  findLink(sha256: string): Promise<PublicLink | null>;

  /** The last of this id or email; null for those who were never removed, or are back. */
  findRemoval(by: { id: UserId | TeamId } | { email: string }): Promise<Removal | null>;
  /** Those of which something is left to do, the oldest first. */
  listRemovals(): Promise<Removal[]>;
  markRemoval(id: UserId | TeamId, step: 'emptied' | 'done', at: Instant): Promise<void>;
  /** Of all teams that are there, or were and have not been removed entirely. */
  listTeamIds(): Promise<TeamId[]>;

  /** Newest first; of one team or of the whole server. */
  listAudit(options: { teamId?: TeamId; beforeSeq?: number; limit: number }): Promise<AuditEntry[]>;

  /** Keeps a secret of the server's own (signing keys, cookie keys) under a name; whoever comes first wins, and everybody gets the winner's. */
  keepSecret(name: string, value: string): Promise<string>;
}

/** What the OAuth engine remembers. Ids, user codes and uids come hashed: the table alone gives nobody access. */
export interface OAuthArtifact {
  model: string;
  id: string;
  payload: JsonObject;
  grantId: string | null;
  userCode: string | null;
  uid: string | null;
  /** Whose it is, where it belongs to somebody. */
  userId: UserId | null;
  expiresAt: Instant | null;
  consumedAt: Instant | null;
}

export interface OAuthStore {
  /** Adds or replaces; a replaced one keeps its `consumedAt`. */
  putArtifact(artifact: OAuthArtifact): Promise<void>;
  /** Expired ones are found too. */
  findArtifact(
    model: string,
    by: { id: string } | { userCode: string } | { uid: string },
  ): Promise<OAuthArtifact | null>;
  /** True for exactly one of all who ever try. */
  consumeArtifact(model: string, id: string, at: Instant): Promise<boolean>;
  removeArtifact(model: string, id: string): Promise<void>;
  listArtifacts(model: string, userId: UserId): Promise<OAuthArtifact[]>;
  countArtifacts(model: string): Promise<number>;
  /** Those past their time, a bounded number at once; returns how many. */
  removeExpiredArtifacts(now: Instant, limit: number): Promise<number>;
}

/** Both, as every store keeps them. */
export interface AuthStore extends IdentityStore, OAuthStore {}

import type { Secrets } from '../engine/ports.ts';
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

/** Where users, teams, tokens and invites are kept, as one: for those who open, wrap or check a whole store. Whoever uses one asks for the ports below. */
export interface IdentityStore extends IdentityChanges, Users, Teams, Tokens, PublicLinks, Removals, Secrets {}

/** The only way in. */
export interface IdentityChanges {
  /** Applies every change or none, in order, with a line each in the audit log. */
  changeIdentity(changes: readonly IdentityChange[], actor: string): Promise<IdentityOutcome>;
  /** Lists lines of the audit log, newest first; of one team or of the whole server. */
  listAudit(options: { teamId?: TeamId; beforeSeq?: number; limit: number }): Promise<AuditEntry[]>;
}

export interface Users {
  /** Finds the person by id or email, suspended or not; null: there is none, or they were removed. */
  findUser(by: { id: UserId } | { email: string }): Promise<User | null>;
  /** Lists everybody, oldest first. */
  listUsers(): Promise<User[]>;
  /** Returns the hash of a password; null: the person has none. */
  findPassword(userId: UserId): Promise<string | null>;
}

/** Teams, who is in them, and who may come in. */
export interface Teams {
  /** Finds the team; null: there is none. */
  findTeam(by: { id: TeamId } | { name: string }): Promise<Team | null>;
  /** Lists the teams a person is in, oldest team first. Asked at every request: one cheap query. */
  listMemberships(userId: UserId): Promise<(Membership & { team: Team })[]>;
  /** Lists the members of a team, longest-standing first. `user` is null for people that only a tokens file knows. */
  listMembers(teamId: TeamId): Promise<(Membership & { user: User | null })[]>;
  /** Finds the invite, used and expired ones too; null: there is none. */
  findInvite(sha256: string): Promise<Invite | null>;
  /** Lists the invites of a team, oldest first, used ones included. */
  listInvites(teamId: TeamId): Promise<Invite[]>;
}

export interface Tokens {
  /** Finds revoked and expired tokens too: whoever authenticates must look at `revokedAt` and `expiresAt`. */
  findToken(sha256: string): Promise<AccessToken | null>;
  /** Lists tokens, oldest first, revoked ones included; of one person or of all. */
  listTokens(userId?: UserId): Promise<AccessToken[]>;
  /** Notes the last use, to the minute, so that a busy token does not cost a write per request. */
  touchToken(id: string, at: Instant): Promise<void>;
}

/** Records that anyone with the address may read. */
export interface PublicLinks {
  /** Finds the record behind an address; null also while whoever published it is suspended. */
  findLink(sha256: string): Promise<PublicLink | null>;
}

/** People and teams that are no more. */
export interface Removals {
  /** Finds the last removal of this id or email; null for those who were never removed, or are back. */
  findRemoval(by: { id: UserId | TeamId } | { email: string }): Promise<Removal | null>;
  /** Lists those of which something is left to do, the oldest first. */
  listRemovals(): Promise<Removal[]>;
  /** Notes that a step of a removal is done. */
  markRemoval(id: UserId | TeamId, step: 'emptied' | 'done', at: Instant): Promise<void>;
  /** Lists the ids of all teams that are there, or were and have not been removed entirely. */
  listTeamIds(): Promise<TeamId[]>;
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
  /** Finds expired ones too; null: there is none. */
  findArtifact(
    model: string,
    by: { id: string } | { userCode: string } | { uid: string },
  ): Promise<OAuthArtifact | null>;
  /** Marks it as used; true for exactly one of all who ever try. */
  consumeArtifact(model: string, id: string, at: Instant): Promise<boolean>;
  /** Removes it; one that is not there changes nothing. */
  removeArtifact(model: string, id: string): Promise<void>;
  /** Lists what belongs to a person. */
  listArtifacts(model: string, userId: UserId): Promise<OAuthArtifact[]>;
  /** Counts all of a model. */
  countArtifacts(model: string): Promise<number>;
  /** Removes those past their time, a bounded number at once; returns how many. */
  removeExpiredArtifacts(now: Instant, limit: number): Promise<number>;
}

/** Both, as every store keeps them. */
export interface AuthStore extends IdentityStore, OAuthStore {}

import type { Caller, Scope } from '../model/caller.ts';
import type { AccessToken, AuditEntry, Invite, Membership, Role, Team, User, UserId } from '../model/identity.ts';
import type { Instant } from '../model/ids.ts';
import type { Page } from '../model/page.ts';

/** For commands on the machine of the server, whose user can read the database anyway. */
export const OPERATOR = 'operator';
/** Who asks for a change of identities: a signed-in caller, or the operator of the server. */
export type Asker = Caller | typeof OPERATOR;

/** Everything that can be done about who may do what. Each verb is a file; this is the table of contents. Failures are EngineErrors. */
export interface Accounts extends OwnAccount, SignIns, UserAccounts, TeamAccounts, Invitations {}

/** What people do about themselves. */
export interface OwnAccount {
  /** Says who this is; people whom only a tokens file knows have no more than their id. */
  getUser(asker: Caller): Promise<User>;
  /** Changes one's own: with the current one, or with the scope that needs none. */
  changePassword(asker: Caller, change: PasswordChange): Promise<void>;
  /** Makes a token; `value` is shown once and kept nowhere. Nobody gives more than they have. */
  issueToken(asker: Asker, wanted: NewTokenInput): Promise<{ value: string; token: AccessToken }>;
  /** Lists one's own; the operator's view is everybody's. */
  listTokens(asker: Asker): Promise<AccessToken[]>;
  /** Revokes a token by id or name. Acts at once, on open streams too. */
  revokeToken(asker: Asker, token: string): Promise<AccessToken>;
}

export interface SignIns {
  /** Returns who this is, or null. Takes the same time whether the person exists or not. `address` is where the attempt comes from; throws rate_limited. */
  checkPassword(login: string, password: string, address: string): Promise<User | null>;
}

/** What the operator does about people. */
export interface UserAccounts {
  /** Finds the person by id or email, or makes them; `created` says which. Somebody who was removed comes back only if that is said. */
  ensureUser(asker: Asker, wanted: NewUserInput): Promise<{ user: User; created: boolean }>;
  /** Lists everybody, oldest first. */
  listUsers(asker: Asker): Promise<User[]>;
  /** Suspends a person, or lets them in again. */
  suspendUser(asker: Asker, user: string, suspended: boolean): Promise<User>;
  /** Removes a person; with `purge`, all they have stored is to go too, also of somebody who was removed before; the engine finishes it. Returns who it was. */
  removeUser(asker: Asker, user: string, options?: { purge?: boolean }): Promise<UserId>;
  /** Finds a person by id or email, those who were removed included. */
  findPerson(asker: Asker, user: string): Promise<{ id: UserId; name: string; removedAt: Instant | null }>;
  /** Sets a password; null removes it. Ends every browser session and every grant that was opened with the old one. */
  setPassword(asker: Asker, user: UserId, password: string | null): Promise<void>;
  /** Lists lines of the audit log, newest first; of one team or of the whole server. */
  listAudit(
    asker: Asker,
    options?: { team?: string; cursor?: string; limit?: number },
  ): Promise<Pick<Page<AuditEntry>, 'items' | 'cursor'>>;
}

export interface TeamAccounts {
  /** Makes a team, which the asker owns. */
  createTeam(asker: Caller, name: string): Promise<Team>;
  /** Lists the teams the asker is in, with their role. */
  listTeams(asker: Caller): Promise<(Membership & { team: Team })[]>;
  /** Removes a team; what is in it is to be deleted, and the engine finishes it. */
  removeTeam(asker: Caller, name: string): Promise<Team>;
  /** Makes another member the owner. */
  transferTeam(asker: Caller, name: string, to: string): Promise<Team>;
  /** Lists the members, longest-standing first. */
  listMembers(asker: Caller, name: string): Promise<(Membership & { user: User | null })[]>;
  /** Changes what a member may do. */
  setRole(asker: Caller, team: string, change: { user: string; role: Role }): Promise<void>;
  /** Takes a member out of the team. */
  removeMember(asker: Caller, team: string, user: string): Promise<void>;
  /** Takes the asker out of the team. */
  leaveTeam(asker: Caller, name: string): Promise<void>;
}

export interface Invitations {
  /** Makes an invite to a team; `code` is shown once. */
  createInvite(
    asker: Caller,
    team: string,
    options?: { role?: Role; days?: number },
  ): Promise<{ code: string; invite: Invite; team: Team }>;
  /** Finds an invite; null for a code that is unknown, used or past its time. */
  peekInvite(code: string): Promise<{ invite: Invite; team: Team } | null>;
  /** Lists those that can still be used. */
  listInvites(asker: Caller, team: string): Promise<Invite[]>;
  /** Takes back one's own; admins take back everybody's. */
  removeInvite(asker: Caller, team: string, id: string): Promise<void>;
  /** Joins the team. Without a caller a new person is made, with a token that is shown once. null: the invite is unknown, used or past its time. */
  acceptInvite(
    asker: Caller | null,
    code: string,
    options?: { name?: string; email?: string; password?: string },
  ): Promise<AcceptedInvite | null>;
}

/** One of them at least. */
export interface NewUserInput {
  id?: UserId;
  email?: string;
  name?: string;
  /** Also somebody who was removed, with whatever is left in their space. */
  again?: boolean;
}

export interface PasswordChange {
  current?: string;
  password: string | null;
  /** Where the request comes from: wrong ones are counted. */
  address: string;
}

export interface NewTokenInput {
  name: string;
  /** By id or email. The operator says for whom; everybody else gets tokens of their own. */
  user?: string;
  scopes?: readonly Scope[];
  team?: string;
  agent?: string;
  /** Of workspaces it can change this one alone. */
  workspace?: string;
  expiresAt?: Instant;
}

export interface AcceptedInvite {
  user: User;
  team: Team;
  /** Only for a new person. */
  token: string | null;
}

import type { Scope } from './caller.ts';
import type { Instant, RecordId, SpaceId } from './ids.ts';

/** What a person may do in a team, from least to most. Everybody is the owner of their own space. */
export const ROLES = ['reader', 'member', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export type UserId = string;
/** Also the id of the team's space. */
export type TeamId = SpaceId;

export interface User {
  id: UserId;
  /** As others see it. */
  name: string;
  /** Lower case; names the same person to every door. */
  email: string | null;
  createdAt: Instant;
  /** Set: every credential of this person is refused, at once. */
  suspendedAt: Instant | null;
}

export interface Team {
  id: TeamId;
  /** Unique on the server. */
  name: string;
  ownerId: UserId;
  createdAt: Instant;
}

export interface Membership {
  teamId: TeamId;
  userId: UserId;
  role: Role;
  joinedAt: Instant;
}

/** A credential as it is kept: the secret itself is never stored, only its SHA-256. */
export interface AccessToken {
  id: string;
  /** Of the whole token text, hexadecimal. */
  sha256: string;
  userId: UserId;
  /** The machine or agent it was made for. */
  name: string;
  scopes: readonly Scope[];
  /** Set: it opens this team's space and nothing else. */
  teamId: TeamId | null;
  /** Set: what is written with it bears this agent label, whatever the client says. */
  agent: string | null;
  /** Set: of workspaces it can change this one alone. */
  workspace: string | null;
  createdAt: Instant;
  lastUsedAt: Instant | null;
  revokedAt: Instant | null;
  expiresAt: Instant | null;
}

export interface Invite {
  id: string;
  /** Of the code, hexadecimal: whoever reads the database cannot join. */
  sha256: string;
  teamId: TeamId;
  role: Role;
  createdBy: UserId;
  createdAt: Instant;
  expiresAt: Instant;
  consumedAt: Instant | null;
  consumedBy: UserId | null;
}

/** A record that anyone with the address may read. */
export interface PublicLink {
  /** Of the unguessable part of the address, hexadecimal. */
  sha256: string;
  space: SpaceId;
  recordId: RecordId;
  /** Who published it: it leads nowhere while they are suspended, and goes when they are removed. */
  userId: UserId;
  createdAt: Instant;
}

/** A team or person that is no more: what was theirs is finished whatever happens, and they do not come back by mistake. */
export interface Removal {
  /** Also the id of the space. */
  id: TeamId | UserId;
  what: 'team' | 'user';
  removedAt: Instant;
  removedBy: string;
  /** Of a person: when somebody asked that all they have stored be purged. */
  purgeAskedAt: Instant | null;
  /** Of a team: when all that was in it had been deleted. */
  emptiedAt: Instant | null;
  /** When nothing of it was left. */
  doneAt: Instant | null;
}

/** What a person has let a program do, as far as the log tells of it. */
export interface Grant {
  /** Safe to show: it opens nothing. */
  id: string;
  /** Set: it opens this team alone. */
  teamId: TeamId | null;
}

/** Everything that can be written about who may do what; all or none of a list, each with a line in the audit log. */
export type IdentityChange =
  /** Of somebody who was removed: they are back, with what is left in their space, unless that is purged ('removed'). */
  | { op: 'add_user'; user: User }
  /** Fields that are absent stay as they are. */
  | { op: 'update_user'; id: UserId; name?: string; email?: string | null; suspendedAt?: Instant | null }
  /** With tokens, password, memberships, grants, public links and the invites that nobody has used yet. Refused ('owns_team') while a team is theirs. What is in their space stays until it is purged. */
  | { op: 'remove_user'; id: UserId }
  /** Of somebody who is removed: all they have stored is to be purged, and their id is never used again. */
  | { op: 'purge_user'; id: UserId }
  /** As `scrypt$…`; null removes it. */
  | { op: 'set_password'; userId: UserId; hash: string | null }
  /** Refused ('removed') for somebody who was removed. */
  | { op: 'add_token'; token: AccessToken }
  /** A token already revoked keeps its first time. */
  | { op: 'revoke_token'; id: string; at: Instant }
  /** With the owner's membership. */
  | { op: 'add_team'; team: Team }
  /** With memberships, invites, public links and the tokens bound to it. A removal remembers that what is in its space is to be deleted. */
  | { op: 'remove_team'; id: TeamId }
  /** The new owner must be a member; the old one becomes an admin. */
  | { op: 'transfer_team'; id: TeamId; to: UserId }
  /** `unlessMember`: whoever is in it already keeps their role. The first joining time stays. */
  | { op: 'put_member'; membership: Membership; unlessMember?: boolean }
  /** Revokes the tokens of this person that are bound to the team. */
  | { op: 'remove_member'; teamId: TeamId; userId: UserId; at: Instant }
  | { op: 'add_invite'; invite: Invite }
  /** Exactly one of many at once succeeds; none while whoever invited is suspended. */
  | { op: 'consume_invite'; sha256: string; userId: UserId; at: Instant }
  | { op: 'remove_invite'; id: string }
  /** A person lets a program in: the line in the log, which stands there before the program can do anything. */
  | { op: 'add_grant'; grant: Grant }
  /** With everything that lets the program act. `missing`: it has ended already. */
  | { op: 'remove_grant'; grant: Grant }
  | { op: 'add_link'; link: PublicLink }
  | { op: 'remove_link'; sha256: string };

/** The command line of this program as an OAuth client: public, and known to every server. */
export const CLI_CLIENT = 'ltm-cli';

/** Why nothing of a list was applied; `index` is the change that stood in the way. `gone`: an invite that is unknown, used or past its time. */
export type IdentityConflict = { index: number; reason: 'exists' | 'missing' | 'gone' | 'owns_team' | 'removed' };
export type IdentityOutcome = { outcome: 'changed' } | { outcome: 'conflict'; conflict: IdentityConflict };

/** One line of the audit log about identities; what happened to records is in the change feed of their space. */
export interface AuditEntry {
  seq: number;
  at: Instant;
  /** Who did it: a user id, `operator` for commands on the server's machine, or `oauth` where a program gave back what it had, or misused it. */
  actor: string;
  op: IdentityChange['op'];
  /** What it was done to: `user:…`, `team:…`, `token:…`, `invite:…`, `grant:…`, `link:…`; never a secret. */
  subject: string;
  /** Set where the change concerns one team: its admins may read it. */
  teamId: TeamId | null;
}

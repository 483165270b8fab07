import type { OAuthArtifact } from '../../auth/ports.ts';
import { SCOPES } from '../../model/caller.ts';
import type {
  AccessToken,
  AuditEntry,
  Invite,
  Membership,
  PublicLink,
  Role,
  Team,
  User,
} from '../../model/identity.ts';
import type { Instant } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import { parseColumn } from './record-row.ts';

export const USER_COLUMNS = 'id, name, email, created_at, suspended_at';
export const TEAM_COLUMNS = 'id, name, owner_id, created_at';
export const TOKEN_COLUMNS =
  'id, sha256, user_id, name, scopes, team_id, agent, created_at, last_used_at, revoked_at, expires_at';
export const INVITE_COLUMNS = 'id, sha256, team_id, role, created_by, created_at, expires_at, consumed_at, consumed_by';
export const ARTIFACT_COLUMNS = 'model, id, grant_id, user_code, uid, user_id, expires_at, consumed_at, payload';

export type UserRow = {
  id: string;
  name: string;
  email: string | null;
  created_at: Instant;
  suspended_at: Instant | null;
};
export type TeamRow = { id: string; name: string; owner_id: string; created_at: Instant };
export type MembershipRow = { team_id: string; user_id: string; role: Role; joined_at: Instant };
export type LinkRow = { sha256: string; space_id: string; record_id: string; created_at: Instant };
export type AuditRow = {
  seq: number;
  at: Instant;
  actor: string;
  op: AuditEntry['op'];
  subject: string;
  team_id: string | null;
};

export type TokenRow = {
  id: string;
  sha256: string;
  user_id: string;
  name: string;
  scopes: string;
  team_id: string | null;
  agent: string | null;
  created_at: Instant;
  last_used_at: Instant | null;
  revoked_at: Instant | null;
  expires_at: Instant | null;
};

export type InviteRow = {
  id: string;
  sha256: string;
  team_id: string;
  role: Role;
  created_by: string;
  created_at: Instant;
  expires_at: Instant;
  consumed_at: Instant | null;
  consumed_by: string | null;
};

export type ArtifactRow = {
  model: string;
  id: string;
  grant_id: string | null;
  user_code: string | null;
  uid: string | null;
  user_id: string | null;
  expires_at: Instant | null;
  consumed_at: Instant | null;
  payload: string;
};

export function toUser({ id, name, email, created_at, suspended_at }: UserRow): User {
  return { id, name, email, createdAt: created_at, suspendedAt: suspended_at };
}

export function toTeam({ id, name, owner_id, created_at }: TeamRow): Team {
  return { id, name, ownerId: owner_id, createdAt: created_at };
}

export function toMembership({ team_id, user_id, role, joined_at }: MembershipRow): Membership {
  return { teamId: team_id, userId: user_id, role, joinedAt: joined_at };
}

export function toLink({ sha256, space_id, record_id, created_at }: LinkRow): PublicLink {
  return { sha256, space: space_id, recordId: record_id, createdAt: created_at };
}

export function toAuditEntry({ seq, at, actor, op, subject, team_id }: AuditRow): AuditEntry {
  return { seq, at, actor, op, subject, teamId: team_id };
}

export function toToken(row: TokenRow): AccessToken {
  const scopes = parseColumn<string[]>(row.scopes, row.id);
  return {
    id: row.id,
    sha256: row.sha256,
    userId: row.user_id,
    name: row.name,
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    teamId: row.team_id,
    agent: row.agent,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
    expiresAt: row.expires_at,
  };
}

export function toInvite(row: InviteRow): Invite {
  return {
    id: row.id,
    sha256: row.sha256,
    teamId: row.team_id,
    role: row.role,
    createdBy: row.created_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    consumedAt: row.consumed_at,
    consumedBy: row.consumed_by,
  };
}

export function toArtifact(row: ArtifactRow): OAuthArtifact {
  return {
    model: row.model,
    id: row.id,
    payload: parseColumn<JsonObject>(row.payload, row.model),
    grantId: row.grant_id,
    userCode: row.user_code,
    uid: row.uid,
    userId: row.user_id,
    expiresAt: row.expires_at,
    consumedAt: row.consumed_at,
  };
}

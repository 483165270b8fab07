import { z } from 'zod';
import { SCOPES } from '../model/caller.ts';
import {
  type AccessToken,
  type AuditEntry,
  type Invite,
  type Membership,
  ROLES,
  type Team,
  type User,
} from '../model/identity.ts';
import { toIso, toIsoOrNull } from '../model/instant.ts';
import { instantSchema } from './answers/memory-answers.ts';

export const roleSchema = z.enum(ROLES);
export const scopeSchema = z.enum(SCOPES);

export const userJsonSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  created_at: instantSchema,
  suspended_at: instantSchema.nullable().describe('Set: nothing of this person is let in.'),
});

export const teamJsonSchema = z.strictObject({
  id: z.string().describe('Also the id of its space.'),
  name: z.string(),
  owner_id: z.string(),
  created_at: instantSchema,
  role: roleSchema.describe('Yours.'),
});

export const memberJsonSchema = z.strictObject({
  user_id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  role: roleSchema,
  joined_at: instantSchema,
});

export const tokenJsonSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  user_id: z.string(),
  scopes: z.array(scopeSchema),
  team_id: z.string().nullable().describe('Set: it opens this team alone.'),
  agent: z.string().nullable().describe('Set: what is written with it bears this label.'),
  created_at: instantSchema,
  last_used_at: instantSchema.nullable().describe('To the minute.'),
  revoked_at: instantSchema.nullable(),
  expires_at: instantSchema.nullable(),
});

export const inviteJsonSchema = z.strictObject({
  id: z.string(),
  role: roleSchema,
  created_by: z.string(),
  created_at: instantSchema,
  expires_at: instantSchema,
});

export const auditEntrySchema = z.strictObject({
  seq: z.number().int(),
  at: instantSchema,
  actor: z.string().describe('A user id, or `operator` for commands on the machine of the server.'),
  op: z.string(),
  subject: z.string(),
  team_id: z.string().nullable(),
});

export function toUserJson({ id, name, email, createdAt, suspendedAt }: User): z.infer<typeof userJsonSchema> {
  return { id, name, email, created_at: toIso(createdAt), suspended_at: toIsoOrNull(suspendedAt) };
}

export function toTeamJson(
  { id, name, ownerId, createdAt }: Team,
  role: Membership['role'],
): z.infer<typeof teamJsonSchema> {
  return { id, name, owner_id: ownerId, created_at: toIso(createdAt), role };
}

export function toMemberJson({
  userId,
  user,
  role,
  joinedAt,
}: Membership & { user: User | null }): z.infer<typeof memberJsonSchema> {
  return { user_id: userId, name: user?.name ?? userId, email: user?.email ?? null, role, joined_at: toIso(joinedAt) };
}

export function toTokenJson({
  id,
  name,
  userId,
  scopes,
  teamId,
  agent,
  ...times
}: AccessToken): z.infer<typeof tokenJsonSchema> {
  return {
    id,
    name,
    user_id: userId,
    scopes: [...scopes],
    team_id: teamId,
    agent,
    created_at: toIso(times.createdAt),
    last_used_at: toIsoOrNull(times.lastUsedAt),
    revoked_at: toIsoOrNull(times.revokedAt),
    expires_at: toIsoOrNull(times.expiresAt),
  };
}

export function toInviteJson({ id, role, createdBy, createdAt, expiresAt }: Invite): z.infer<typeof inviteJsonSchema> {
  return { id, role, created_by: createdBy, created_at: toIso(createdAt), expires_at: toIso(expiresAt) };
}

export function toAuditJson({ seq, at, actor, op, subject, teamId }: AuditEntry): z.infer<typeof auditEntrySchema> {
  return { seq, at: toIso(at), actor, op, subject, team_id: teamId };
}

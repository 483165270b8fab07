import { z } from 'zod';
import { SCOPES } from '../../model/caller.ts';
import { ROLES } from '../../model/identity.ts';
import { instantSchema as instant } from './memory-answers.ts';

const text = z.string();
const count = z.number().int();
const role = z.enum(ROLES);
const scopes = z.array(z.enum(SCOPES));

const userSchema = z.strictObject({
  id: text,
  name: text,
  email: text.nullable(),
  created_at: instant,
  suspended_at: instant.nullable().describe('Set: nothing of this person is let in.'),
});

const teamSchema = z.strictObject({
  id: text.describe('Also the id of its space.'),
  name: text,
  owner_id: text,
  created_at: instant,
  role: role.describe('Yours.'),
});

const memberSchema = z.strictObject({ user_id: text, name: text, email: text.nullable(), role, joined_at: instant });

const tokenSchema = z.strictObject({
  id: text,
  name: text,
  user_id: text,
  scopes,
  team_id: text.nullable().describe('Set: it opens this team alone.'),
  agent: text.nullable().describe('Set: what is written with it bears this label.'),
  created_at: instant,
  last_used_at: instant.nullable().describe('To the minute.'),
  revoked_at: instant.nullable(),
  expires_at: instant.nullable(),
});

const grantSchema = z.strictObject({
  id: text,
  name: text.describe('As the program calls itself.'),
  client_id: text,
  redirect_host: text.nullable().describe('Where it gets its codes; null for a device.'),
  scopes,
  team_id: text.nullable().describe('Set: it was let into this team alone.'),
  created_at: instant,
});

const inviteSchema = z.strictObject({ id: text, role, created_by: text, created_at: instant, expires_at: instant });

const auditEntrySchema = z.strictObject({
  seq: count,
  at: instant,
  actor: text.describe('A user id, or `operator` for commands on the machine of the server.'),
  op: text,
  subject: text,
  team_id: text.nullable(),
});

const changeSchema = z.strictObject({
  seq: count,
  at: instant,
  op: text,
  id: text,
  kind: text.nullable(),
  revision: count.nullable(),
  actor: text,
  relation: z
    .strictObject({ to: text, type: text })
    .nullable()
    .describe('Of `related` and `unrelated`: where the relation ends, and its type.'),
});

/** What the verbs about people, teams and tokens answer, by their names. */
export const PEOPLE_ANSWERS: Readonly<Record<string, z.ZodType>> = {
  whoami: z.strictObject({
    user: userSchema,
    space: text.describe('Where your writes go: your own space, or the team that the request names.'),
    scopes,
    credential: z.strictObject({ kind: z.enum(['personal', 'file', 'oauth']), id: text }).nullable(),
    teams: z.array(teamSchema),
  }),
  listTokens: z.strictObject({ tokens: z.array(tokenSchema) }),
  createToken: z.strictObject({ value: text, token: tokenSchema }),
  listGrants: z.strictObject({ grants: z.array(grantSchema) }),
  listTeams: z.strictObject({ teams: z.array(teamSchema) }),
  createTeam: z.strictObject({ team: teamSchema }),
  transferTeam: z.strictObject({ team: teamSchema }),
  listMembers: z.strictObject({ members: z.array(memberSchema) }),
  createInvite: z.strictObject({ id: text, code: text, url: text, role, expires_at: instant }),
  listInvites: z.strictObject({ invites: z.array(inviteSchema) }),
  acceptInvite: z.strictObject({ user: userSchema, team: teamSchema }),
  listUsers: z.strictObject({ users: z.array(userSchema) }),
  addUser: z.strictObject({ user: userSchema, created: z.boolean() }),
  suspendUser: z.strictObject({ user: userSchema }),
  listAudit: z.strictObject({ entries: z.array(auditEntrySchema), cursor: text.nullable() }),
  listChanges: z.strictObject({
    changes: z.array(changeSchema),
    last: count.describe('Pass it as `after` to go on.'),
  }),
};

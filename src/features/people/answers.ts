import { z } from 'zod';
import { SCOPES } from '../../model/caller.ts';
import { ROLES } from '../../model/identity.ts';
import { type Answers, count, counts, instant, text } from '../../rest/answer-fields.ts';

const { strictObject: fields, array: list } = z;
const role = z.enum(ROLES);
const scopes = list(z.enum(SCOPES));

const user = fields({
  id: text,
  name: text,
  email: text.nullable(),
  created_at: instant,
  suspended_at: instant.nullable().describe('If set, this person has no access.'),
});

const team = fields({
  id: text.describe('The id of the team and of its space.'),
  name: text,
  owner_id: text,
  created_at: instant,
  role: role.describe('Yours.'),
});

const member = fields({ user_id: text, name: text, email: text.nullable(), role, joined_at: instant });

const token = fields({
  id: text,
  name: text,
  user_id: text,
  scopes,
  team_id: text.nullable().describe('If set, it is restricted to this team.'),
  agent: text.nullable().describe('If set, the agent label of everything written with it.'),
  workspace: text.nullable().describe('If set, the only workspace it can change.'),
  created_at: instant,
  last_used_at: instant.nullable().describe('To the minute.'),
  revoked_at: instant.nullable(),
  expires_at: instant.nullable(),
});

const grant = fields({
  id: text,
  name: text.describe('The name the program gave itself.'),
  client_id: text,
  redirect_host: text.nullable().describe('Where authorization codes are sent; null for a device.'),
  scopes,
  team_id: text.nullable().describe('If set, it is restricted to this team.'),
  created_at: instant,
});

const invite = fields({ id: text, role, created_by: text, created_at: instant, expires_at: instant });

const auditEntry = fields({
  seq: count,
  at: instant,
  actor: text.describe('A user id, or `operator` for commands on the server machine.'),
  op: text,
  subject: text,
  team_id: text.nullable(),
});

const change = fields({
  seq: count,
  at: instant,
  op: text,
  id: text,
  kind: text.nullable(),
  revision: count.nullable(),
  actor: text,
  relation: fields({ to: text, type: text })
    .nullable()
    .describe('Of `related` and `unrelated`: where the relation ends, and its type.'),
});

export const ANSWERS: Answers = {
  whoami: fields({
    user,
    space: text.describe('Where your writes go: your own space, or the team named in the request.'),
    scopes,
    credential: fields({ kind: z.enum(['personal', 'file', 'oauth']), id: text }).nullable(),
    teams: list(team),
  }),
  listTokens: fields({ tokens: list(token) }),
  createToken: fields({ value: text, token }),
  listGrants: fields({ grants: list(grant) }),
  listTeams: fields({ teams: list(team) }),
  createTeam: fields({ team }),
  transferTeam: fields({ team }),
  listMembers: fields({ members: list(member) }),
  createInvite: fields({ id: text, code: text, url: text, role, expires_at: instant }),
  listInvites: fields({ invites: list(invite) }),
  acceptInvite: fields({ user, team }),
  listUsers: fields({ users: list(user) }),
  addUser: fields({ user, created: z.boolean() }),
  suspendUser: fields({ user }),
  removeUser: fields({
    outcome: z.enum(['purged', 'would_remove']),
    user: text,
    name: text,
    stored: fields(counts('own', 'in_teams'))
      .nullable()
      .describe('With `purge`: what they stored in their own space and in teams.'),
  }),
  listAudit: fields({ entries: list(auditEntry), cursor: text.nullable() }),
  listChanges: fields({ changes: list(change), last: count.describe('Pass it as `after` to continue.') }),
};

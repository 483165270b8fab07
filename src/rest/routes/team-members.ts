import { z } from 'zod';
import { memberJsonSchema, roleSchema, toMemberJson } from '../identity-json.ts';
import { defineRoute } from '../route.ts';
import { teamParams } from './teams.ts';

const memberParams = z.strictObject({
  ...teamParams.shape,
  user: z.string().min(1).max(254).describe('User id or email.'),
});

export const listMembers = defineRoute({
  method: 'GET',
  path: '/teams/{team}/members',
  name: 'listMembers',
  action: 'read',
  group: 'People',
  summary: 'Who is in a team, first joined first',
  params: teamParams,
  answers: { 200: { description: 'For members.', schema: z.strictObject({ members: z.array(memberJsonSchema) }) } },
  async handle({ accounts, caller, params }) {
    return { status: 200, body: { members: (await accounts.listMembers(caller, params.team)).map(toMemberJson) } };
  },
});

export const setRole = defineRoute({
  method: 'PATCH',
  path: '/teams/{team}/members/{user}',
  name: 'setRole',
  action: 'manage_members',
  group: 'People',
  summary: 'Change the role of a member; about admins the owner decides',
  params: memberParams,
  body: z.strictObject({ role: roleSchema.exclude(['owner']) }),
  example: { body: { role: 'reader' } },
  answers: { 204: { description: 'Acts at once.' } },
  async handle({ accounts, caller, params, body }) {
    await accounts.setRole(caller, params.team, { user: params.user, role: body.role });
    return { status: 204 };
  },
});

export const removeMember = defineRoute({
  method: 'DELETE',
  path: '/teams/{team}/members/{user}',
  name: 'removeMember',
  action: 'manage_members',
  group: 'People',
  summary: 'Remove somebody from a team',
  params: memberParams,
  answers: { 204: { description: 'Their tokens for this team are revoked.' } },
  async handle({ accounts, caller, params }) {
    await accounts.removeMember(caller, params.team, params.user);
    return { status: 204 };
  },
});

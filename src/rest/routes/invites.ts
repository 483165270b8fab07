import { z } from 'zod';
import { toIso } from '../../model/instant.ts';
import { instantSchema } from '../answers/memory-answers.ts';
import { RequestProblem } from '../error-response.ts';
import {
  inviteJsonSchema,
  roleSchema,
  teamJsonSchema,
  toInviteJson,
  toTeamJson,
  toUserJson,
  userJsonSchema,
} from '../identity-json.ts';
import { defineRoute } from '../route.ts';
import { teamParams } from './teams.ts';

export const createInvite = defineRoute({
  method: 'POST',
  path: '/teams/{team}/invites',
  name: 'createInvite',
  action: 'invite',
  group: 'People',
  summary: 'Invite one person; the code is in this answer and nowhere else',
  params: teamParams,
  body: z.strictObject({
    role: roleSchema
      .exclude(['owner'])
      .optional()
      .describe('member where nothing is said; at most your own, of an owner admin.'),
    days: z.number().positive().max(30).optional().describe('7 where nothing is said.'),
  }),
  example: { body: { role: 'member' } },
  answers: {
    201: {
      description: 'Whoever has the code or the address can join, once.',
      schema: z.strictObject({
        id: z.string(),
        code: z.string(),
        url: z.string(),
        role: roleSchema,
        expires_at: instantSchema,
      }),
    },
  },
  async handle({ accounts, caller, params, body, urlOf, request }) {
    const { code, invite } = await accounts.createInvite(caller, params.team, {
      ...(body.role === undefined ? {} : { role: body.role }),
      ...(body.days === undefined ? {} : { days: body.days }),
    });
    const { id, role, expiresAt } = invite;
    return {
      status: 201,
      body: { id, code, url: `${urlOf(request)}/v1/invites/${code}`, role, expires_at: toIso(expiresAt) },
    };
  },
});

export const listInvites = defineRoute({
  method: 'GET',
  path: '/teams/{team}/invites',
  name: 'listInvites',
  action: 'invite',
  group: 'People',
  summary: 'Invites that can still be used',
  params: teamParams,
  answers: {
    200: { description: 'Without their codes.', schema: z.strictObject({ invites: z.array(inviteJsonSchema) }) },
  },
  async handle({ accounts, caller, params }) {
    return { status: 200, body: { invites: (await accounts.listInvites(caller, params.team)).map(toInviteJson) } };
  },
});

export const revokeInvite = defineRoute({
  method: 'DELETE',
  path: '/teams/{team}/invites/{invite}',
  name: 'revokeInvite',
  action: 'invite',
  group: 'People',
  summary: 'Take an invite back: your own, or as admin anybody’s',
  params: z.strictObject({ ...teamParams.shape, invite: z.string().min(1).max(100) }),
  answers: { 204: { description: 'Nobody can join with it any more.' } },
  async handle({ accounts, caller, params }) {
    await accounts.removeInvite(caller, params.team, params.invite);
    return { status: 204 };
  },
});

export const acceptInvite = defineRoute({
  method: 'POST',
  path: '/invites/{code}/accept',
  name: 'acceptInvite',
  action: 'write',
  group: 'People',
  summary: 'Join a team with an invite',
  params: z.strictObject({ code: z.string().min(1).max(100) }),
  answers: {
    201: { description: 'You are in it.', schema: z.strictObject({ user: userJsonSchema, team: teamJsonSchema }) },
    410: { description: 'The invite is unknown, used or past its time.' },
  },
  async handle({ accounts, caller, params }) {
    const accepted = await accounts.acceptInvite(caller, params.code);
    if (accepted === null) throw inviteGone();
    const own = (await accounts.listTeams(caller)).find(({ teamId }) => teamId === accepted.team.id);
    return {
      status: 201,
      body: { user: toUserJson(accepted.user), team: toTeamJson(accepted.team, own?.role ?? 'member') },
    };
  },
});

function inviteGone(): RequestProblem {
  return new RequestProblem('not_found', 'This invite is unknown, used or past its time.', {
    status: 410,
    hint: 'Ask for another one.',
  });
}

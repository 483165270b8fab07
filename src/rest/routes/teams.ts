import { z } from 'zod';
import { deleteTeam as removeWholeTeam } from '../delete-team.ts';
import { teamJsonSchema, toTeamJson } from '../identity-json.ts';
import { defineRoute } from '../route.ts';

export const teamParams = z.strictObject({ team: z.string().min(1).max(200).describe('Its name or id.') });

export const listTeams = defineRoute({
  method: 'GET',
  path: '/teams',
  name: 'listTeams',
  action: 'read',
  group: 'People',
  summary: 'The teams you are in, oldest first',
  answers: {
    200: { description: 'With your role in each.', schema: z.strictObject({ teams: z.array(teamJsonSchema) }) },
  },
  async handle({ accounts, caller }) {
    return {
      status: 200,
      body: { teams: (await accounts.listTeams(caller)).map(({ team, role }) => toTeamJson(team, role)) },
    };
  },
});

export const createTeam = defineRoute({
  method: 'POST',
  path: '/teams',
  name: 'createTeam',
  action: 'write',
  group: 'People',
  summary: 'Make a team, which you own',
  body: z.strictObject({
    name: z.string().max(200).describe('Up to 40 lower-case letters, digits, "_" and "-"; unique on the server.'),
  }),
  example: { body: { name: 'payments' } },
  answers: {
    201: { description: 'Made.', schema: z.strictObject({ team: teamJsonSchema }) },
    409: { description: 'There is one of this name, whoever owns it.' },
  },
  async handle({ accounts, caller, body }) {
    return { status: 201, body: { team: toTeamJson(await accounts.createTeam(caller, body.name), 'owner') } };
  },
});

export const deleteTeam = defineRoute({
  method: 'DELETE',
  path: '/teams/{team}',
  name: 'deleteTeam',
  action: 'manage_team',
  group: 'People',
  summary: 'Delete a team you own, with everything in it',
  params: teamParams,
  answers: {
    204: { description: 'Its members, invites and tokens are gone, its memories deleted, its name is free again.' },
  },
  async handle({ accounts, engine, caller, params }) {
    await removeWholeTeam({ accounts, engine }, caller, params.team);
    return { status: 204 };
  },
});

export const transferTeam = defineRoute({
  method: 'POST',
  path: '/teams/{team}/transfer',
  name: 'transferTeam',
  action: 'manage_team',
  group: 'People',
  summary: 'Hand a team you own to another member; you become an admin',
  params: teamParams,
  body: z.strictObject({ to: z.string().min(1).max(254).describe('User id or email of a member.') }),
  example: { body: { to: 'user_01k9x2m4q8b7c6d5e4f3' } },
  answers: { 200: { description: 'Handed over.', schema: z.strictObject({ team: teamJsonSchema }) } },
  async handle({ accounts, caller, params, body }) {
    const team = await accounts.transferTeam(caller, params.team, body.to);
    return { status: 200, body: { team: toTeamJson(team, team.ownerId === caller.userId ? 'owner' : 'admin') } };
  },
});

export const leaveTeam = defineRoute({
  method: 'POST',
  path: '/teams/{team}/leave',
  name: 'leaveTeam',
  action: 'write',
  group: 'People',
  summary: 'Leave a team; its owner has to hand it over first',
  params: teamParams,
  answers: { 204: { description: 'You are not in it any more.' } },
  async handle({ accounts, caller, params }) {
    await accounts.leaveTeam(caller, params.team);
    return { status: 204 };
  },
});

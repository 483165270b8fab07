import { z } from 'zod';
import { scopeSchema, teamJsonSchema, toTeamJson, toUserJson, userJsonSchema } from '../identity-json.ts';
import { defineRoute } from '../route.ts';

export const whoami = defineRoute({
  method: 'GET',
  path: '/whoami',
  name: 'whoami',
  action: 'read',
  group: 'People',
  summary: 'Whose token this is, what it may do and which teams it opens',
  answers: {
    200: {
      description: 'You.',
      schema: z.strictObject({
        user: userJsonSchema,
        space: z.string().describe('Where your writes go: your own space, or the team that the request names.'),
        scopes: z.array(scopeSchema),
        credential: z.strictObject({ kind: z.enum(['personal', 'file', 'oauth']), id: z.string() }).nullable(),
        teams: z.array(teamJsonSchema),
      }),
    },
  },
  async handle({ accounts, caller }) {
    const [user, teams] = await Promise.all([accounts.getUser(caller), accounts.listTeams(caller)]);
    return {
      status: 200,
      body: {
        user: toUserJson(user),
        space: caller.space,
        scopes: [...caller.scopes],
        credential: caller.credential ?? null,
        teams: teams.map(({ team, role }) => toTeamJson(team, role)),
      },
    };
  },
});

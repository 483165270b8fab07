import { z } from 'zod';
import type { ConnectedApp } from '../../auth/oauth/grants.ts';
import { toIso } from '../../model/instant.ts';
import { instantSchema } from '../answers/memory-answers.ts';
import { scopeSchema } from '../identity-json.ts';
import { defineRoute } from '../route.ts';

const grantJsonSchema = z.strictObject({
  id: z.string(),
  name: z.string().describe('As the program calls itself.'),
  client_id: z.string(),
  redirect_host: z.string().nullable().describe('Where it gets its codes; null for a device.'),
  scopes: z.array(scopeSchema),
  team_id: z.string().nullable().describe('Set: it was let into this team alone.'),
  created_at: instantSchema,
});

export const listGrants = defineRoute({
  method: 'GET',
  path: '/grants',
  name: 'listGrants',
  action: 'read',
  group: 'People',
  summary: 'The programs that you have let in with a browser, latest first',
  answers: {
    200: { description: 'A program sees itself alone.', schema: z.strictObject({ grants: z.array(grantJsonSchema) }) },
  },
  async handle({ grants, caller }) {
    return { status: 200, body: { grants: (await grants.list(caller)).map(toGrantJson) } };
  },
});

export const revokeGrant = defineRoute({
  method: 'DELETE',
  path: '/grants/{grant}',
  name: 'revokeGrant',
  action: 'write',
  group: 'People',
  summary: 'Disconnect a program, at once',
  params: z.strictObject({ grant: z.string().min(1).max(200).describe('Its id.') }),
  answers: { 204: { description: 'None of its tokens is accepted any more.' } },
  async handle({ grants, caller, params }) {
    await grants.revoke(caller, params.grant);
    return { status: 204 };
  },
});

function toGrantJson({
  id,
  name,
  clientId,
  redirectHost,
  scopes,
  teamId,
  createdAt,
}: ConnectedApp): z.infer<typeof grantJsonSchema> {
  return {
    id,
    name,
    client_id: clientId,
    redirect_host: redirectHost,
    scopes: [...scopes],
    team_id: teamId,
    created_at: toIso(createdAt),
  };
}

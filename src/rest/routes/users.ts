import { z } from 'zod';
import { toUserJson, userJsonSchema } from '../identity-json.ts';
import { defineRoute } from '../route.ts';

const userParams = z.strictObject({ user: z.string().min(1).max(254).describe('User id or email.') });

export const listUsers = defineRoute({
  method: 'GET',
  path: '/users',
  name: 'listUsers',
  action: 'admin',
  group: 'People',
  summary: 'Everybody on this server, oldest first',
  answers: {
    200: { description: "For the server's owner.", schema: z.strictObject({ users: z.array(userJsonSchema) }) },
  },
  async handle({ accounts, caller }) {
    return { status: 200, body: { users: (await accounts.listUsers(caller)).map(toUserJson) } };
  },
});

export const suspendUser = defineRoute({
  method: 'PATCH',
  path: '/users/{user}',
  name: 'suspendUser',
  action: 'admin',
  group: 'People',
  summary: 'Suspend somebody, or let them in again',
  params: userParams,
  body: z.strictObject({ suspended: z.boolean() }),
  example: { body: { suspended: true } },
  answers: {
    200: {
      description: "For the server's owner. Acts at once on every credential.",
      schema: z.strictObject({ user: userJsonSchema }),
    },
  },
  async handle({ accounts, caller, params, body }) {
    return { status: 200, body: { user: toUserJson(await accounts.suspendUser(caller, params.user, body.suspended)) } };
  },
});

export const removeUser = defineRoute({
  method: 'DELETE',
  path: '/users/{user}',
  name: 'removeUser',
  action: 'admin',
  group: 'People',
  summary: 'Remove somebody, with tokens, password and memberships; their memories stay until purged',
  params: userParams,
  answers: {
    204: { description: "For the server's owner." },
    409: { description: 'They own a team: hand it over first.' },
  },
  async handle({ accounts, caller, params }) {
    await accounts.removeUser(caller, params.user);
    return { status: 204 };
  },
});

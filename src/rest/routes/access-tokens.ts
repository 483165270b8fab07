import { z } from 'zod';
import { EngineError } from '../../model/errors.ts';
import { instantSchema } from '../answers/memory-answers.ts';
import { scopeSchema, tokenJsonSchema, toTokenJson } from '../identity-json.ts';
import { defineRoute } from '../route.ts';

export const listTokens = defineRoute({
  method: 'GET',
  path: '/tokens',
  name: 'listTokens',
  action: 'read',
  group: 'People',
  summary: 'Your tokens, oldest first, revoked ones included; never the tokens themselves',
  answers: {
    200: {
      description: "The server's owner, with the scope admin, sees everybody's.",
      schema: z.strictObject({ tokens: z.array(tokenJsonSchema) }),
    },
  },
  async handle({ accounts, caller }) {
    return { status: 200, body: { tokens: (await accounts.listTokens(caller)).map(toTokenJson) } };
  },
});

export const createToken = defineRoute({
  method: 'POST',
  path: '/tokens',
  name: 'createToken',
  action: 'write',
  group: 'People',
  summary: 'Make a token for a machine or an agent; its value is in this answer and nowhere else',
  body: z.strictObject({
    name: z.string().min(1).max(100).describe('The machine or agent it is for.'),
    scopes: z
      .array(scopeSchema)
      .min(1)
      .optional()
      .describe('read and write where nothing is said; never more than your own.'),
    team: z.string().min(1).max(200).optional().describe('Opens this team alone.'),
    agent: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('What is written with it bears this label, whatever the client says.'),
    expires_at: instantSchema.optional().describe('Until revoked where nothing is said.'),
    user: z.string().min(1).max(128).optional().describe("For the server's owner: whose it is."),
  }),
  example: { body: { name: 'build-server', scopes: ['read'] } },
  answers: {
    201: { description: 'Keep `value` now.', schema: z.strictObject({ value: z.string(), token: tokenJsonSchema }) },
  },
  async handle({ accounts, caller, body }) {
    const { expires_at, ...wanted } = body;
    const given = Object.fromEntries(Object.entries(wanted).filter(([, field]) => field !== undefined));
    const { value, token } = await accounts.issueToken(caller, {
      ...given,
      name: wanted.name,
      ...(expires_at === undefined ? {} : { expiresAt: Date.parse(expires_at) }),
    });
    return { status: 201, body: { value, token: toTokenJson(token) } };
  },
});

export const revokeCurrentToken = defineRoute({
  method: 'DELETE',
  path: '/tokens/current',
  name: 'revokeCurrentToken',
  action: 'read',
  group: 'People',
  summary: 'Revoke the token that this request came with',
  answers: { 204: { description: 'It is not accepted any more.' } },
  async handle({ accounts, caller }) {
    const { credential } = caller;
    if (credential?.kind !== 'personal')
      throw new EngineError('not_found', 'This credential is not a personal token.', {
        hint: 'Take it back where it was given.',
      });
    await accounts.revokeToken(caller, credential.id);
    return { status: 204 };
  },
});

export const revokeToken = defineRoute({
  method: 'DELETE',
  path: '/tokens/{token}',
  name: 'revokeToken',
  action: 'write',
  group: 'People',
  summary: 'Revoke a token, at once',
  params: z.strictObject({ token: z.string().min(1).max(200).describe('Its id or name.') }),
  answers: { 204: { description: 'It is not accepted any more. Once more changes nothing.' } },
  async handle({ accounts, caller, params }) {
    await accounts.revokeToken(caller, params.token);
    return { status: 204 };
  },
});

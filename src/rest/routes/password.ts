import { z } from 'zod';
import { defineRoute } from '../route.ts';

/** Longer ones are nobody's; the rules for good ones are the engine's. */
const MAX_CHARS = 4096;

export const changePassword = defineRoute({
  method: 'PUT',
  path: '/password',
  name: 'changePassword',
  action: 'write',
  group: 'People',
  summary: 'Set your password; browser sessions and programs that the old one let in are put out',
  body: z.strictObject({
    password: z
      .string()
      .max(MAX_CHARS)
      .nullable()
      .describe('The new one, 10 characters at least; null: none any more.'),
    current_password: z
      .string()
      .max(MAX_CHARS)
      .optional()
      .describe('Needed unless the credential has the scope admin.'),
  }),
  example: { body: { password: 'five unrelated words are fine', current_password: 'what it was until now' } },
  answers: {
    204: { description: 'It is set.' },
    403: { description: 'The current password is wrong, or was needed.' },
  },
  async handle({ accounts, caller, body, address }) {
    const { password, current_password: current } = body;
    await accounts.changePassword(caller, { password, address, ...(current !== undefined && { current }) });
    return { status: 204 };
  },
});

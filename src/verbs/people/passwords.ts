import { text } from '../field.ts';
import { defineHostVerb } from '../verb.ts';
import { personRef } from './users.ts';

/** Longer ones are nobody's; the rules for good ones are kept where it is set. */
const max = 4096;
const password = text('The new one, 10 characters at least; null: none any more.', {
  max,
  isRequired: true,
  isNullable: true,
});

export const changePassword = defineHostVerb<{ password: string | null; currentPassword?: string }, void>({
  name: 'changePassword',
  needs: 'write',
  writes: true,
  input: { password, current_password: text('Needed unless the credential has the scope admin.', { max }) },
  async run({ accounts, caller, address }, { password: wanted, currentPassword }) {
    await (await accounts()).changePassword(caller, { password: wanted, address, current: currentPassword });
  },
  rest: {
    method: 'PUT',
    path: '/password',
    group: 'People',
    summary: 'Set your password; browser sessions and programs that the old one let in are put out',
    example: { body: { password: 'five unrelated words are fine', current_password: 'what it was until now' } },
    answers: { 204: 'It is set.', 403: 'The current password is wrong, or was needed.' },
  },
});

export const setPassword = defineHostVerb<{ user: string; password: string | null }, void>({
  name: 'setPassword',
  needs: 'admin',
  writes: true,
  input: { user: personRef, password },
  async run({ accounts, asker }, { user, password: wanted }) {
    await (await accounts()).setPassword(asker, user, wanted);
  },
  rest: {
    method: 'PUT',
    path: '/users/{user}/password',
    group: 'People',
    summary: 'Set the password of somebody; browser sessions and programs that the old one let in are put out',
    example: { body: { password: 'five unrelated words are fine' } },
    answers: { 204: "It is set. For the server's owner." },
  },
});

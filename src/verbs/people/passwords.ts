import { text } from '../field.ts';
import { definePeopleVerb } from './define-people-verb.ts';
import { personRef } from './users.ts';

/** Longer ones are nobody's; the rules for good ones are kept where it is set. */
const max = 4096;
const about = 'The new one, 10 characters at least; null: none any more.';
const password = text(about, { max, isRequired: true, isNullable: true });

export const changePassword = definePeopleVerb<{ password: string | null; currentPassword?: string }, void>({
  needs: 'write',
  at: 'PUT /password',
  summary: 'Set your password; browser sessions and programs that the old one let in are put out',
  example: { body: { password: 'five unrelated words are fine', current_password: 'what it was until now' } },
  answers: { 204: 'It is set.', 403: 'The current password is wrong, or was needed.' },
  input: { password, current_password: text('Needed unless the credential has the scope admin.', { max }) },
  run: ({ accounts, caller, address }, { currentPassword: current, ...wanted }) =>
    accounts.changePassword(caller, { ...wanted, current, address }),
});

export const setPassword = definePeopleVerb<{ user: string; password: string | null }, void>({
  needs: 'admin',
  at: 'PUT /users/{user}/password',
  summary: 'Set the password of somebody; browser sessions and programs that the old one let in are put out',
  example: { body: { password: 'five unrelated words are fine' } },
  answers: { 204: "It is set. For the server's owner." },
  input: { user: personRef, password },
  run: ({ accounts, asker }, { user, password: wanted }) => accounts.setPassword(asker, user, wanted),
});

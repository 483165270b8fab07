import type { ConnectedApp } from '../../auth/oauth/grants.ts';
import { label } from '../field.ts';
import { defineHostVerb } from '../verb.ts';
import { pickShown } from './pick-shown.ts';

/** Without what the person signed in with. */
export type ShownGrant = Omit<ConnectedApp, 'userId' | 'tokenSha256'>;

function toShownGrant(app: ConnectedApp): ShownGrant {
  return pickShown(app, ['id', 'name', 'clientId', 'redirectHost', 'scopes', 'teamId', 'createdAt']);
}

export const listGrants = defineHostVerb<object, { grants: ShownGrant[] }>({
  name: 'listGrants',
  needs: 'read',
  input: {},
  run: async ({ grants, caller }) => ({ grants: (await (await grants()).list(caller)).map(toShownGrant) }),
  rest: {
    method: 'GET',
    path: '/grants',
    group: 'People',
    summary: 'The programs that you have let in with a browser, latest first',
    answers: { 200: 'A program sees itself alone.' },
  },
});

export const revokeGrant = defineHostVerb<{ grant: string }, void>({
  name: 'revokeGrant',
  needs: 'write',
  writes: true,
  input: { grant: label('Its id.', { isRequired: true }) },
  async run({ grants, caller }, { grant }) {
    await (await grants()).revoke(caller, grant);
  },
  rest: {
    method: 'DELETE',
    path: '/grants/{grant}',
    group: 'People',
    summary: 'Disconnect a program, at once',
    answers: { 204: 'None of its tokens is accepted any more.' },
  },
});

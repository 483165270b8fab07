import type { ConnectedApp } from '../../auth/oauth/grants.ts';
import { label } from '../field.ts';
import { definePeopleVerb } from './define-people-verb.ts';

/** Without what the person signed in with. */
export type ShownGrant = Omit<ConnectedApp, 'userId' | 'tokenSha256'>;

function toShownGrant(app: ConnectedApp): ShownGrant {
  const { id, name, clientId, redirectHost, scopes, teamId, createdAt } = app;
  return { id, name, clientId, redirectHost, scopes, teamId, createdAt };
}

export const listGrants = definePeopleVerb<object, { grants: ShownGrant[] }>({
  needs: 'read',
  at: 'GET /grants',
  summary: 'The programs that you have let in with a browser, latest first',
  answers: { 200: 'A program sees itself alone.' },
  run: async ({ grants, caller }) => ({ grants: (await (await grants()).list(caller)).map(toShownGrant) }),
});

export const revokeGrant = definePeopleVerb<{ grant: string }, void>({
  needs: 'write',
  at: 'DELETE /grants/{grant}',
  summary: 'Disconnect a program, at once',
  answers: { 204: 'None of its tokens is accepted any more.' },
  input: { grant: label('Its id.', { isRequired: true }) },
  async run({ grants, caller }, { grant }) {
    await (await grants()).revoke(caller, grant);
  },
});

import type { NewTokenInput } from '../../auth/accounts.ts';
import { SCOPES } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { AccessToken } from '../../model/identity.ts';
import { label, text } from '../field.ts';
import { definePeopleVerb } from './define-people-verb.ts';

/** Never its hash. */
export type ShownToken = Omit<AccessToken, 'sha256'>;

function toShownToken(token: AccessToken): ShownToken {
  const { id, name, userId, scopes, teamId, agent, createdAt, lastUsedAt, revokedAt, expiresAt } = token;
  return { id, name, userId, scopes, teamId, agent, createdAt, lastUsedAt, revokedAt, expiresAt };
}

export const listTokens = definePeopleVerb<object, { tokens: ShownToken[] }>({
  needs: 'read',
  at: 'GET /tokens',
  summary: 'Your tokens, oldest first, revoked ones included; never the tokens themselves',
  answers: { 200: "The server's owner, with the scope admin, sees everybody's." },
  run: async ({ accounts, asker }) => ({ tokens: (await accounts.listTokens(asker)).map(toShownToken) }),
});

export const createToken = definePeopleVerb<NewTokenInput, { value: string; token: ShownToken }>({
  needs: 'write',
  at: 'POST /tokens',
  summary: 'Make a token for a machine or an agent; its value is in this answer and nowhere else',
  example: { body: { name: 'build-server', scopes: ['read'] } },
  answers: { 201: 'Keep `value` now.' },
  input: {
    name: text('The machine or agent it is for.', { min: 1, max: 100, isRequired: true }),
    scopes: {
      type: 'choices',
      choices: SCOPES,
      min: 1,
      about: 'read and write where nothing is said; never more than your own.',
    },
    team: label('Opens this team alone.'),
    agent: text('What is written with it bears this label, whatever the client says.', { min: 1, max: 100 }),
    expires_at: { type: 'instant', about: 'Until revoked where nothing is said.' },
    user: label("For the server's owner: whose it is, by user id or email.", { max: 254 }),
  },
  async run({ accounts, asker }, wanted) {
    const { value, token } = await accounts.issueToken(asker, wanted);
    return { value, token: toShownToken(token) };
  },
});

export const revokeCurrentToken = definePeopleVerb<object, void>({
  needs: 'read',
  at: 'DELETE /tokens/current',
  summary: 'Revoke the token that this request came with',
  answers: { 204: 'It is not accepted any more.' },
  async run({ accounts, caller }) {
    const { credential } = caller;
    if (credential?.kind !== 'personal')
      throw new EngineError('not_found', 'This credential is not a personal token.', {
        hint: 'Take it back where it was given.',
      });
    await accounts.revokeToken(caller, credential.id);
  },
});

export const revokeToken = definePeopleVerb<{ token: string }, void>({
  needs: 'write',
  at: 'DELETE /tokens/{token}',
  summary: 'Revoke a token, at once',
  answers: { 204: 'It is not accepted any more. Once more changes nothing.' },
  input: { token: label('Its id or name.', { isRequired: true }) },
  async run({ accounts, asker }, { token }) {
    await accounts.revokeToken(asker, token);
  },
});

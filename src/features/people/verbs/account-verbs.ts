import type { NewTokenInput } from '../../../auth/accounts.ts';
import type { ConnectedApp } from '../../../auth/oauth/grants.ts';
import { type Caller, SCOPES, type Scope } from '../../../model/caller.ts';
import { EngineError } from '../../../model/errors.ts';
import type { AccessToken, User } from '../../../model/identity.ts';
import { label, text } from '../../../verbs/field.ts';
import { definePeopleVerb, MAX_PASSWORD, newPassword } from './define-people-verb.ts';
import { type ShownTeam, toShownTeam } from './team-verbs.ts';

export interface Identity {
  user: User;
  space: string;
  scopes: Scope[];
  credential: Caller['credential'] | null;
  teams: ShownTeam[];
}

/** Never its hash. */
export type ShownToken = Omit<AccessToken, 'sha256'>;

function toShownToken(token: AccessToken): ShownToken {
  const { id, name, userId, scopes, teamId, agent, workspace, createdAt, lastUsedAt, revokedAt, expiresAt } = token;
  return { id, name, userId, scopes, teamId, agent, workspace, createdAt, lastUsedAt, revokedAt, expiresAt };
}

/** Without what the person signed in with. */
export type ShownGrant = Omit<ConnectedApp, 'userId' | 'tokenSha256'>;

function toShownGrant(app: ConnectedApp): ShownGrant {
  const { id, name, clientId, redirectHost, scopes, teamId, createdAt } = app;
  return { id, name, clientId, redirectHost, scopes, teamId, createdAt };
}

/** About whoever asks: who they are, and what they let in. */
export const ACCOUNT_VERBS = {
  whoami: definePeopleVerb<object, Identity>({
    needs: 'read',
    at: 'GET /whoami',
    summary: 'Show who you are, your scopes and your teams',
    answers: { 200: 'You.' },
    async run({ accounts, caller }) {
      const [user, teams] = await Promise.all([accounts.getUser(caller), accounts.listTeams(caller)]);
      const { space, scopes, credential = null } = caller;
      return { user, space, scopes: [...scopes], credential, teams: teams.map(toShownTeam) };
    },
  }),

  listTokens: definePeopleVerb<object, { tokens: ShownToken[] }>({
    needs: 'read',
    at: 'GET /tokens',
    summary: 'List your tokens, oldest first, including revoked ones, without their values',
    answers: { 200: "The server's owner, with the scope admin, sees all tokens." },
    run: async ({ accounts, asker }) => ({ tokens: (await accounts.listTokens(asker)).map(toShownToken) }),
  }),

  createToken: definePeopleVerb<NewTokenInput, { value: string; token: ShownToken }>({
    needs: 'write',
    at: 'POST /tokens',
    summary: 'Create a token for a machine or an agent; only this response has its value',
    example: { body: { name: 'build-server', scopes: ['read'] } },
    answers: { 201: 'Keep `value` now.' },
    input: {
      name: text('The machine or agent it is for.', { min: 1, max: 100, isRequired: true }),
      scopes: {
        type: 'choices',
        choices: SCOPES,
        min: 1,
        about: 'Default: read and write. Never more than your own.',
      },
      team: label('Opens this team alone.'),
      agent: text('Agent label of everything written with it, whatever the client sends.', { min: 1, max: 100 }),
      workspace: label('The only workspace it can change.'),
      expires_at: { type: 'instant', about: 'Default: it does not expire.' },
      user: label("For the server's owner: the person it belongs to, by user id or email.", { max: 254 }),
    },
    async run({ accounts, asker }, wanted) {
      const { value, token } = await accounts.issueToken(asker, wanted);
      return { value, token: toShownToken(token) };
    },
  }),

  revokeCurrentToken: definePeopleVerb<object, void>({
    needs: 'read',
    at: 'DELETE /tokens/current',
    summary: 'Revoke the token used for this request',
    answers: { 204: 'It is no longer accepted.' },
    async run({ accounts, caller }) {
      const { credential } = caller;
      if (credential?.kind !== 'personal')
        throw new EngineError('not_found', 'This credential is not a personal token.', {
          hint: 'Revoke it where it was issued.',
        });
      await accounts.revokeToken(caller, credential.id);
    },
  }),

  revokeToken: definePeopleVerb<{ token: string }, void>({
    needs: 'write',
    at: 'DELETE /tokens/{token}',
    summary: 'Revoke a token, at once',
    answers: { 204: 'It is no longer accepted. Repeating the request changes nothing.' },
    input: { token: label('Its id or name.', { isRequired: true }) },
    async run({ accounts, asker }, { token }) {
      await accounts.revokeToken(asker, token);
    },
  }),

  changePassword: definePeopleVerb<{ password: string | null; currentPassword?: string }, void>({
    needs: 'write',
    at: 'PUT /password',
    summary: 'Set your password; ends browser sessions and disconnects programs that were authorized with the old one',
    example: { body: { password: 'five unrelated words are fine', current_password: 'what it was until now' } },
    answers: { 204: 'It is set.', 403: 'The current password is wrong or missing.' },
    input: {
      password: newPassword,
      current_password: text('Required unless the credential has the scope admin.', { max: MAX_PASSWORD }),
    },
    run: ({ accounts, caller, address }, { currentPassword: current, ...wanted }) =>
      accounts.changePassword(caller, { ...wanted, current, address }),
  }),

  listGrants: definePeopleVerb<object, { grants: ShownGrant[] }>({
    needs: 'read',
    at: 'GET /grants',
    summary: 'List the programs you have authorized, latest first',
    answers: { 200: 'A program sees only itself.' },
    run: async ({ grants, caller }) => ({ grants: (await (await grants()).list(caller)).map(toShownGrant) }),
  }),

  revokeGrant: definePeopleVerb<{ grant: string }, void>({
    needs: 'write',
    at: 'DELETE /grants/{grant}',
    summary: 'Disconnect a program, effective immediately',
    answers: { 204: 'Its tokens are no longer accepted.' },
    input: { grant: label('Its id.', { isRequired: true }) },
    async run({ grants, caller }, { grant }) {
      await (await grants()).revoke(caller, grant);
    },
  }),
};

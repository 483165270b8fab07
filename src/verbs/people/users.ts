import type { NewUserInput } from '../../auth/accounts.ts';
import type { Caller, Scope } from '../../model/caller.ts';
import type { User } from '../../model/identity.ts';
import { label } from '../field.ts';
import { definePeopleVerb } from './define-people-verb.ts';
import { type ShownTeam, toShownTeam } from './teams.ts';

export const personRef = label('User id or email.', { max: 254, isRequired: true });

export interface Identity {
  user: User;
  space: string;
  scopes: Scope[];
  credential: Caller['credential'] | null;
  teams: ShownTeam[];
}

export const whoami = definePeopleVerb<object, Identity>({
  needs: 'read',
  at: 'GET /whoami',
  summary: 'Whose token this is, what it may do and which teams it opens',
  answers: { 200: 'You.' },
  async run({ accounts, caller }) {
    const [user, teams] = await Promise.all([accounts.getUser(caller), accounts.listTeams(caller)]);
    const { space, scopes, credential = null } = caller;
    return { user, space, scopes: [...scopes], credential, teams: teams.map(toShownTeam) };
  },
});

export const listUsers = definePeopleVerb<object, { users: User[] }>({
  needs: 'admin',
  at: 'GET /users',
  summary: 'Everybody on this server, oldest first',
  answers: { 200: "For the server's owner." },
  run: async ({ accounts, asker }) => ({ users: await accounts.listUsers(asker) }),
});

export const addUser = definePeopleVerb<NewUserInput, { user: User; created: boolean }>({
  needs: 'admin',
  at: 'POST /users',
  summary: 'Add somebody, by id, email or name',
  example: { body: { email: 'ada@example.org', name: 'Ada' } },
  answers: {
    201: "Added. For the server's owner.",
    200: 'They were here already, and stay as they are.',
    409: 'Somebody else has this email.',
  },
  statusOf: ({ created }) => (created ? 201 : 200),
  input: {
    id: label('Made up where nothing is said.', { max: 128 }),
    email: label('What they sign in with.', { max: 254 }),
    name: label('As others see it; from the email or id where nothing is said.', { max: 100 }),
  },
  run: ({ accounts, asker }, wanted) => accounts.ensureUser(asker, wanted),
});

export const suspendUser = definePeopleVerb<{ user: string; suspended: boolean }, { user: User }>({
  needs: 'admin',
  at: 'PATCH /users/{user}',
  summary: 'Suspend somebody, or let them in again',
  example: { body: { suspended: true } },
  answers: { 200: "For the server's owner. Acts at once on every credential." },
  input: { user: personRef, suspended: { type: 'flag', isRequired: true } },
  run: async ({ accounts, asker }, { user, suspended }) => ({
    user: await accounts.suspendUser(asker, user, suspended),
  }),
});

export const removeUser = definePeopleVerb<{ user: string }, void>({
  needs: 'admin',
  at: 'DELETE /users/{user}',
  summary: 'Remove somebody, with tokens, password and memberships; their memories stay until purged',
  answers: { 204: "For the server's owner.", 409: 'They own a team: hand it over first.' },
  input: { user: personRef },
  run: ({ accounts, asker }, { user }) => accounts.removeUser(asker, user),
});

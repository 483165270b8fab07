import type { NewUserInput } from '../../auth/accounts.ts';
import type { Caller, Scope } from '../../model/caller.ts';
import type { User } from '../../model/identity.ts';
import { label } from '../field.ts';
import { defineHostVerb } from '../verb.ts';
import { type ShownTeam, toShownTeam } from './teams.ts';

export const personRef = label('User id or email.', { max: 254, isRequired: true });

export interface Identity {
  user: User;
  space: string;
  scopes: Scope[];
  credential: Caller['credential'] | null;
  teams: ShownTeam[];
}

export const whoami = defineHostVerb<object, Identity>({
  name: 'whoami',
  needs: 'read',
  input: {},
  async run({ accounts, caller }) {
    const { getUser, listTeams } = await accounts();
    const [user, teams] = await Promise.all([getUser(caller), listTeams(caller)]);
    const { space, scopes, credential = null } = caller;
    return { user, space, scopes: [...scopes], credential, teams: teams.map(toShownTeam) };
  },
  rest: {
    method: 'GET',
    path: '/whoami',
    group: 'People',
    summary: 'Whose token this is, what it may do and which teams it opens',
    answers: { 200: 'You.' },
  },
});

export const listUsers = defineHostVerb<object, { users: User[] }>({
  name: 'listUsers',
  needs: 'admin',
  input: {},
  run: async ({ accounts, asker }) => ({ users: await (await accounts()).listUsers(asker) }),
  rest: {
    method: 'GET',
    path: '/users',
    group: 'People',
    summary: 'Everybody on this server, oldest first',
    answers: { 200: "For the server's owner." },
  },
});

export const addUser = defineHostVerb<NewUserInput, { user: User; created: boolean }>({
  name: 'addUser',
  needs: 'admin',
  writes: true,
  input: {
    id: label('Made up where nothing is said.', { max: 128 }),
    email: label('What they sign in with.', { max: 254 }),
    name: label('As others see it; from the email or id where nothing is said.', { max: 100 }),
  },
  run: async ({ accounts, asker }, wanted) => (await accounts()).ensureUser(asker, wanted),
  rest: {
    method: 'POST',
    path: '/users',
    group: 'People',
    summary: 'Add somebody, by id, email or name',
    example: { body: { email: 'ada@example.org', name: 'Ada' } },
    answers: {
      201: "Added. For the server's owner.",
      200: 'They were here already, and stay as they are.',
      409: 'Somebody else has this email.',
    },
    statusOf: ({ created }) => (created ? 201 : 200),
  },
});

export const suspendUser = defineHostVerb<{ user: string; suspended: boolean }, { user: User }>({
  name: 'suspendUser',
  needs: 'admin',
  writes: true,
  input: { user: personRef, suspended: { type: 'flag', isRequired: true } },
  run: async ({ accounts, asker }, { user, suspended }) => ({
    user: await (await accounts()).suspendUser(asker, user, suspended),
  }),
  rest: {
    method: 'PATCH',
    path: '/users/{user}',
    group: 'People',
    summary: 'Suspend somebody, or let them in again',
    example: { body: { suspended: true } },
    answers: { 200: "For the server's owner. Acts at once on every credential." },
  },
});

export const removeUser = defineHostVerb<{ user: string }, void>({
  name: 'removeUser',
  needs: 'admin',
  writes: true,
  input: { user: personRef },
  run: async ({ accounts, asker }, { user }) => (await accounts()).removeUser(asker, user),
  rest: {
    method: 'DELETE',
    path: '/users/{user}',
    group: 'People',
    summary: 'Remove somebody, with tokens, password and memberships; their memories stay until purged',
    answers: { 204: "For the server's owner.", 409: 'They own a team: hand it over first.' },
  },
});

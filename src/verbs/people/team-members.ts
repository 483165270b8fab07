import { type Membership, ROLES, type Role, type User } from '../../model/identity.ts';
import { choice } from '../field.ts';
import { defineHostVerb } from '../verb.ts';
import { teamRef } from './teams.ts';
import { personRef } from './users.ts';

/** What can be given: a team has one owner. */
export type GivenRole = Exclude<Role, 'owner'>;
export const GIVEN_ROLES = ROLES.filter((role) => role !== 'owner');

export type ShownMember = Omit<Membership, 'teamId'> & Pick<User, 'name' | 'email'>;

export const listMembers = defineHostVerb<{ team: string }, { members: ShownMember[] }>({
  name: 'listMembers',
  needs: 'read',
  input: { team: teamRef },
  async run({ accounts, caller }, { team }) {
    const members = await (await accounts()).listMembers(caller, team);
    return {
      members: members.map(({ userId, user, role, joinedAt }) => ({
        userId,
        name: user?.name ?? userId,
        email: user?.email ?? null,
        role,
        joinedAt,
      })),
    };
  },
  rest: {
    method: 'GET',
    path: '/teams/{team}/members',
    group: 'People',
    summary: 'Who is in a team, first joined first',
    answers: { 200: 'For members.' },
  },
});

export const setRole = defineHostVerb<{ team: string; user: string; role: GivenRole }, void>({
  name: 'setRole',
  needs: 'manage_members',
  writes: true,
  input: { team: teamRef, user: personRef, role: { ...choice(GIVEN_ROLES), isRequired: true } },
  run: async ({ accounts, caller }, { team, ...change }) => (await accounts()).setRole(caller, team, change),
  rest: {
    method: 'PATCH',
    path: '/teams/{team}/members/{user}',
    group: 'People',
    summary: 'Change the role of a member; about admins the owner decides',
    example: { body: { role: 'reader' } },
    answers: { 204: 'Acts at once.' },
  },
});

export const removeMember = defineHostVerb<{ team: string; user: string }, void>({
  name: 'removeMember',
  needs: 'manage_members',
  writes: true,
  input: { team: teamRef, user: personRef },
  run: async ({ accounts, caller }, { team, user }) => (await accounts()).removeMember(caller, team, user),
  rest: {
    method: 'DELETE',
    path: '/teams/{team}/members/{user}',
    group: 'People',
    summary: 'Remove somebody from a team',
    answers: { 204: 'Their tokens for this team are revoked.' },
  },
});

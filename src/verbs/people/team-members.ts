import { type Membership, ROLES, type Role, type User } from '../../model/identity.ts';
import { choice } from '../field.ts';
import { definePeopleVerb } from './define-people-verb.ts';
import { teamRef } from './teams.ts';
import { personRef } from './users.ts';

/** What can be given: a team has one owner. */
export type GivenRole = Exclude<Role, 'owner'>;
export const GIVEN_ROLES = ROLES.filter((role) => role !== 'owner');

export type ShownMember = Omit<Membership, 'teamId'> & Pick<User, 'name' | 'email'>;

export const listMembers = definePeopleVerb<{ team: string }, { members: ShownMember[] }>({
  needs: 'read',
  at: 'GET /teams/{team}/members',
  summary: 'Who is in a team, first joined first',
  answers: { 200: 'For members.' },
  input: { team: teamRef },
  async run({ accounts, caller }, { team }) {
    const members = await accounts.listMembers(caller, team);
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
});

export const setRole = definePeopleVerb<{ team: string; user: string; role: GivenRole }, void>({
  needs: 'manage_members',
  at: 'PATCH /teams/{team}/members/{user}',
  summary: 'Change the role of a member; about admins the owner decides',
  example: { body: { role: 'reader' } },
  answers: { 204: 'Acts at once.' },
  input: { team: teamRef, user: personRef, role: { ...choice(GIVEN_ROLES), isRequired: true } },
  run: ({ accounts, caller }, { team, ...change }) => accounts.setRole(caller, team, change),
});

export const removeMember = definePeopleVerb<{ team: string; user: string }, void>({
  needs: 'manage_members',
  at: 'DELETE /teams/{team}/members/{user}',
  summary: 'Remove somebody from a team',
  answers: { 204: 'Their tokens for this team are revoked.' },
  input: { team: teamRef, user: personRef },
  run: ({ accounts, caller }, { team, user }) => accounts.removeMember(caller, team, user),
});

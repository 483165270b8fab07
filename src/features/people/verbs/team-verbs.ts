import type { TeamAccounts } from '../../../auth/accounts.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { Caller } from '../../../model/caller.ts';
import { type Invite, type Membership, ROLES, type Role, type Team, type User } from '../../../model/identity.ts';
import { choice, label, text } from '../../../verbs/field.ts';
import type { ProblemFacts } from '../../../verbs/verb.ts';
import { definePeopleVerb, personRef } from './define-people-verb.ts';

const teamRef = label('Its name or id.', { isRequired: true });

/** With the caller's role in it. */
export type ShownTeam = Team & { role: Role };

export function toShownTeam({ team, role }: { team: Team; role: Role }): ShownTeam {
  return { ...team, role };
}

/** The team goes first, and with it, in one commit, goes the promise that its contents are deleted, whatever happens in between. */
export async function deleteWholeTeam(
  { accounts, engine }: { accounts: TeamAccounts; engine: Engine },
  caller: Caller,
  team: string,
): Promise<void> {
  await accounts.removeTeam(caller, team);
  await engine.finishRemovals();
}

/** What can be given: a team has one owner. */
export type GivenRole = Exclude<Role, 'owner'>;
export const GIVEN_ROLES = ROLES.filter((role) => role !== 'owner');

export type ShownMember = Omit<Membership, 'teamId'> & Pick<User, 'name' | 'email'>;

/** Where a server is found until somebody says otherwise. */
const USUAL_URL = 'http://127.0.0.1:8000';

export type NewInvite = Pick<Invite, 'id' | 'role' | 'expiresAt'> & { code: string; url: string };
/** Never the hash of its code. */
export type ShownInvite = Pick<Invite, 'id' | 'role' | 'createdBy' | 'createdAt' | 'expiresAt'>;

function toShownInvite({ id, role, createdBy, createdAt, expiresAt }: Invite): ShownInvite {
  return { id, role, createdBy, createdAt, expiresAt };
}

/** Nulls: the invite is unknown, used or past its time. */
export type AcceptOutcome = { user: User; team: ShownTeam } | { user: null; team: null };

const GONE: AcceptOutcome = { user: null, team: null };
const GONE_PROBLEM: ProblemFacts = {
  code: 'not_found',
  message: 'This invite is unknown, used or expired.',
  hint: 'Ask for another one.',
  status: 410,
};

/** About teams, who is in them, and who is asked to join. */
export const TEAM_VERBS = {
  listTeams: definePeopleVerb<object, { teams: ShownTeam[] }>({
    needs: 'read',
    at: 'GET /teams',
    summary: 'List your teams, oldest first',
    answers: { 200: 'With your role in each.' },
    run: async ({ accounts, caller }) => ({ teams: (await accounts.listTeams(caller)).map(toShownTeam) }),
  }),

  createTeam: definePeopleVerb<{ name: string }, { team: ShownTeam }>({
    needs: 'write',
    at: 'POST /teams',
    summary: 'Create a team; you become its owner',
    example: { body: { name: 'payments' } },
    answers: { 201: 'Made.', 409: 'The name is taken.' },
    input: {
      name: text('Up to 40 lower-case letters, digits, "_" and "-"; unique on the server.', {
        max: 200,
        isRequired: true,
      }),
    },
    run: async ({ accounts, caller }, { name }) => ({
      team: toShownTeam({ team: await accounts.createTeam(caller, name), role: 'owner' }),
    }),
  }),

  deleteTeam: definePeopleVerb<{ team: string }, void>({
    needs: 'manage_team',
    at: 'DELETE /teams/{team}',
    summary: 'Delete a team you own, with everything in it',
    answers: { 204: 'Members, invites and tokens are removed, memories are deleted, and the name can be used again.' },
    input: { team: teamRef },
    run: ({ accounts, engine, caller }, { team }) => deleteWholeTeam({ accounts, engine }, caller, team),
  }),

  transferTeam: definePeopleVerb<{ team: string; to: string }, { team: ShownTeam }>({
    needs: 'manage_team',
    at: 'POST /teams/{team}/transfer',
    summary: 'Transfer a team you own to another member; you become an admin',
    example: { body: { to: 'user_01k9x2m4q8b7c6d5e4f3' } },
    answers: { 200: 'Handed over.' },
    input: { team: teamRef, to: label('User id or email of a member.', { max: 254, isRequired: true }) },
    async run({ accounts, caller }, { team: name, to }) {
      const team = await accounts.transferTeam(caller, name, to);
      return { team: toShownTeam({ team, role: team.ownerId === caller.userId ? 'owner' : 'admin' }) };
    },
  }),

  leaveTeam: definePeopleVerb<{ team: string }, void>({
    needs: 'write',
    at: 'POST /teams/{team}/leave',
    summary: 'Leave a team; the owner must transfer it first',
    answers: { 204: 'You are no longer a member.' },
    input: { team: teamRef },
    run: ({ accounts, caller }, { team }) => accounts.leaveTeam(caller, team),
  }),

  listMembers: definePeopleVerb<{ team: string }, { members: ShownMember[] }>({
    needs: 'read',
    at: 'GET /teams/{team}/members',
    summary: 'List the members of a team, longest-standing first',
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
  }),

  setRole: definePeopleVerb<{ team: string; user: string; role: GivenRole }, void>({
    needs: 'manage_members',
    at: 'PATCH /teams/{team}/members/{user}',
    summary: "Change a member's role; only the owner can appoint or demote admins",
    example: { body: { role: 'reader' } },
    answers: { 204: 'Acts at once.' },
    input: { team: teamRef, user: personRef, role: { ...choice(GIVEN_ROLES), isRequired: true } },
    run: ({ accounts, caller }, { team, ...change }) => accounts.setRole(caller, team, change),
  }),

  removeMember: definePeopleVerb<{ team: string; user: string }, void>({
    needs: 'manage_members',
    at: 'DELETE /teams/{team}/members/{user}',
    summary: 'Remove a person from a team',
    answers: { 204: 'Their tokens for this team are revoked.' },
    input: { team: teamRef, user: personRef },
    run: ({ accounts, caller }, { team, user }) => accounts.removeMember(caller, team, user),
  }),

  createInvite: definePeopleVerb<{ team: string; role?: GivenRole; days?: number }, NewInvite>({
    needs: 'invite',
    at: 'POST /teams/{team}/invites',
    summary: 'Invite one person; only this response has the code',
    example: { body: { role: 'member' } },
    answers: { 201: 'Whoever has the code or the link can join, once.' },
    input: {
      team: teamRef,
      role: choice(GIVEN_ROLES, 'Default: member. At most your own role; an owner can invite admins.'),
      days: { type: 'number', min: 0, max: 30, about: '7 where nothing is said.' },
    },
    async run({ accounts, caller, url }, { team, ...options }) {
      const { code, invite } = await accounts.createInvite(caller, team, options);
      const { id, role, expiresAt } = invite;
      return { id, code, url: `${url ?? USUAL_URL}/v1/invites/${code}`, role, expiresAt };
    },
  }),

  listInvites: definePeopleVerb<{ team: string }, { invites: ShownInvite[] }>({
    needs: 'invite',
    at: 'GET /teams/{team}/invites',
    summary: 'List invites that can still be used',
    answers: { 200: 'Without their codes.' },
    input: { team: teamRef },
    run: async ({ accounts, caller }, { team }) => ({
      invites: (await accounts.listInvites(caller, team)).map(toShownInvite),
    }),
  }),

  revokeInvite: definePeopleVerb<{ team: string; invite: string }, void>({
    needs: 'invite',
    at: 'DELETE /teams/{team}/invites/{invite}',
    summary: 'Revoke an invite: your own, or any as an admin',
    answers: { 204: 'It can no longer be used.' },
    input: { team: teamRef, invite: label(undefined, { max: 100, isRequired: true }) },
    run: ({ accounts, caller }, { team, invite }) => accounts.removeInvite(caller, team, invite),
  }),

  acceptInvite: definePeopleVerb<{ code: string }, AcceptOutcome>({
    needs: 'write',
    at: 'POST /invites/{code}/accept',
    summary: 'Join a team with an invite',
    answers: { 201: 'You are in it.', 410: 'The invite is unknown, used or expired.' },
    problem: {
      of: ({ team }) => (team === null ? GONE_PROBLEM : null),
      toOutcome: ({ status }) => (status === GONE_PROBLEM.status ? GONE : null),
    },
    input: { code: label(undefined, { max: 100, isRequired: true }) },
    async run({ accounts, caller }, { code }) {
      const accepted = await accounts.acceptInvite(caller, code);
      if (accepted === null) return GONE;
      const { user, team } = accepted;
      const own = (await accounts.listTeams(caller)).find(({ teamId }) => teamId === team.id);
      return { user, team: toShownTeam({ team, role: own?.role ?? 'member' }) };
    },
  }),
};

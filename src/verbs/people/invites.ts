import type { Invite, User } from '../../model/identity.ts';
import { choice, label } from '../field.ts';
import { defineHostVerb } from '../verb.ts';
import { pickShown } from './pick-shown.ts';
import { GIVEN_ROLES, type GivenRole } from './team-members.ts';
import { type ShownTeam, teamRef, toShownTeam } from './teams.ts';

/** Where a server is found until somebody says otherwise. */
const USUAL_URL = 'http://127.0.0.1:8000';

export type NewInvite = Pick<Invite, 'id' | 'role' | 'expiresAt'> & { code: string; url: string };
/** Never the hash of its code. */
export type ShownInvite = Pick<Invite, 'id' | 'role' | 'createdBy' | 'createdAt' | 'expiresAt'>;

export const createInvite = defineHostVerb<{ team: string; role?: GivenRole; days?: number }, NewInvite>({
  name: 'createInvite',
  needs: 'invite',
  writes: true,
  input: {
    team: teamRef,
    role: choice(GIVEN_ROLES, 'member where nothing is said; at most your own, of an owner admin.'),
    days: { type: 'number', min: 0, max: 30, about: '7 where nothing is said.' },
  },
  async run({ accounts, caller, url }, { team, ...options }) {
    const { code, invite } = await (await accounts()).createInvite(caller, team, options);
    const { id, role, expiresAt } = invite;
    return { id, code, url: `${url ?? USUAL_URL}/v1/invites/${code}`, role, expiresAt };
  },
  rest: {
    method: 'POST',
    path: '/teams/{team}/invites',
    group: 'People',
    summary: 'Invite one person; the code is in this answer and nowhere else',
    example: { body: { role: 'member' } },
    answers: { 201: 'Whoever has the code or the address can join, once.' },
  },
});

export const listInvites = defineHostVerb<{ team: string }, { invites: ShownInvite[] }>({
  name: 'listInvites',
  needs: 'invite',
  input: { team: teamRef },
  async run({ accounts, caller }, { team }) {
    const invites = await (await accounts()).listInvites(caller, team);
    return { invites: invites.map((one) => pickShown(one, ['id', 'role', 'createdBy', 'createdAt', 'expiresAt'])) };
  },
  rest: {
    method: 'GET',
    path: '/teams/{team}/invites',
    group: 'People',
    summary: 'Invites that can still be used',
    answers: { 200: 'Without their codes.' },
  },
});

export const revokeInvite = defineHostVerb<{ team: string; invite: string }, void>({
  name: 'revokeInvite',
  needs: 'invite',
  writes: true,
  input: { team: teamRef, invite: label(undefined, { max: 100, isRequired: true }) },
  run: async ({ accounts, caller }, { team, invite }) => (await accounts()).removeInvite(caller, team, invite),
  rest: {
    method: 'DELETE',
    path: '/teams/{team}/invites/{invite}',
    group: 'People',
    summary: 'Take an invite back: your own, or as admin anybody’s',
    answers: { 204: 'Nobody can join with it any more.' },
  },
});

/** Nulls: the invite is unknown, used or past its time. */
export type AcceptOutcome = { user: User; team: ShownTeam } | { user: null; team: null };

const GONE: AcceptOutcome = { user: null, team: null };

export const acceptInvite = defineHostVerb<{ code: string }, AcceptOutcome>({
  name: 'acceptInvite',
  needs: 'write',
  writes: true,
  input: { code: label(undefined, { max: 100, isRequired: true }) },
  async run({ accounts, caller }, { code }) {
    const people = await accounts();
    const accepted = await people.acceptInvite(caller, code);
    if (accepted === null) return GONE;
    const { user, team } = accepted;
    const own = (await people.listTeams(caller)).find(({ teamId }) => teamId === team.id);
    return { user, team: toShownTeam({ team, role: own?.role ?? 'member' }) };
  },
  rest: {
    method: 'POST',
    path: '/invites/{code}/accept',
    group: 'People',
    summary: 'Join a team with an invite',
    answers: { 201: 'You are in it.', 410: 'The invite is unknown, used or past its time.' },
    problem: {
      of: ({ team }) =>
        team === null
          ? {
              code: 'not_found',
              message: 'This invite is unknown, used or past its time.',
              hint: 'Ask for another one.',
              status: 410,
            }
          : null,
      toOutcome: ({ status }) => (status === 410 ? GONE : null),
    },
  },
});

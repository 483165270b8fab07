import type { Invite, User } from '../../model/identity.ts';
import { choice, label } from '../field.ts';
import type { ProblemFacts } from '../verb.ts';
import { definePeopleVerb } from './define-people-verb.ts';
import { GIVEN_ROLES, type GivenRole } from './team-members.ts';
import { type ShownTeam, teamRef, toShownTeam } from './teams.ts';

/** Where a server is found until somebody says otherwise. */
const USUAL_URL = 'http://127.0.0.1:8000';

export type NewInvite = Pick<Invite, 'id' | 'role' | 'expiresAt'> & { code: string; url: string };
/** Never the hash of its code. */
export type ShownInvite = Pick<Invite, 'id' | 'role' | 'createdBy' | 'createdAt' | 'expiresAt'>;

function toShownInvite({ id, role, createdBy, createdAt, expiresAt }: Invite): ShownInvite {
  return { id, role, createdBy, createdAt, expiresAt };
}

export const createInvite = definePeopleVerb<{ team: string; role?: GivenRole; days?: number }, NewInvite>({
  needs: 'invite',
  at: 'POST /teams/{team}/invites',
  summary: 'Invite one person; the code is in this answer and nowhere else',
  example: { body: { role: 'member' } },
  answers: { 201: 'Whoever has the code or the address can join, once.' },
  input: {
    team: teamRef,
    role: choice(GIVEN_ROLES, 'member where nothing is said; at most your own, of an owner admin.'),
    days: { type: 'number', min: 0, max: 30, about: '7 where nothing is said.' },
  },
  async run({ accounts, caller, url }, { team, ...options }) {
    const { code, invite } = await accounts.createInvite(caller, team, options);
    const { id, role, expiresAt } = invite;
    return { id, code, url: `${url ?? USUAL_URL}/v1/invites/${code}`, role, expiresAt };
  },
});

export const listInvites = definePeopleVerb<{ team: string }, { invites: ShownInvite[] }>({
  needs: 'invite',
  at: 'GET /teams/{team}/invites',
  summary: 'Invites that can still be used',
  answers: { 200: 'Without their codes.' },
  input: { team: teamRef },
  run: async ({ accounts, caller }, { team }) => ({
    invites: (await accounts.listInvites(caller, team)).map(toShownInvite),
  }),
});

export const revokeInvite = definePeopleVerb<{ team: string; invite: string }, void>({
  needs: 'invite',
  at: 'DELETE /teams/{team}/invites/{invite}',
  summary: 'Take an invite back: your own, or as admin anybody’s',
  answers: { 204: 'Nobody can join with it any more.' },
  input: { team: teamRef, invite: label(undefined, { max: 100, isRequired: true }) },
  run: ({ accounts, caller }, { team, invite }) => accounts.removeInvite(caller, team, invite),
});

/** Nulls: the invite is unknown, used or past its time. */
export type AcceptOutcome = { user: User; team: ShownTeam } | { user: null; team: null };

const GONE: AcceptOutcome = { user: null, team: null };
const GONE_PROBLEM: ProblemFacts = {
  code: 'not_found',
  message: 'This invite is unknown, used or past its time.',
  hint: 'Ask for another one.',
  status: 410,
};

export const acceptInvite = definePeopleVerb<{ code: string }, AcceptOutcome>({
  needs: 'write',
  at: 'POST /invites/{code}/accept',
  summary: 'Join a team with an invite',
  answers: { 201: 'You are in it.', 410: 'The invite is unknown, used or past its time.' },
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
});

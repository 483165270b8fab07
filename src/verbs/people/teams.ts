import type { Accounts } from '../../auth/accounts.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Caller } from '../../model/caller.ts';
import type { Role, Team } from '../../model/identity.ts';
import { label, text } from '../field.ts';
import { defineHostVerb } from '../verb.ts';

export const teamRef = label('Its name or id.', { isRequired: true });

/** With the caller's role in it. */
export type ShownTeam = Team & { role: Role };

export function toShownTeam({ team, role }: { team: Team; role: Role }): ShownTeam {
  return { ...team, role };
}

/** The team goes first, so that nobody reads or writes in it while its contents are deleted. */
export async function deleteWholeTeam(
  { accounts, engine }: { accounts: Accounts; engine: Engine },
  caller: Caller,
  team: string,
): Promise<void> {
  const inside = await engine.enterTeam(caller, team);
  await accounts.removeTeam(caller, team);
  await engine.emptyTeam(inside);
}

export const listTeams = defineHostVerb<object, { teams: ShownTeam[] }>({
  name: 'listTeams',
  needs: 'read',
  input: {},
  run: async ({ accounts, caller }) => ({ teams: (await (await accounts()).listTeams(caller)).map(toShownTeam) }),
  rest: {
    method: 'GET',
    path: '/teams',
    group: 'People',
    summary: 'The teams you are in, oldest first',
    answers: { 200: 'With your role in each.' },
  },
});

export const createTeam = defineHostVerb<{ name: string }, { team: ShownTeam }>({
  name: 'createTeam',
  needs: 'write',
  writes: true,
  input: {
    name: text('Up to 40 lower-case letters, digits, "_" and "-"; unique on the server.', {
      max: 200,
      isRequired: true,
    }),
  },
  run: async ({ accounts, caller }, { name }) => ({
    team: toShownTeam({ team: await (await accounts()).createTeam(caller, name), role: 'owner' }),
  }),
  rest: {
    method: 'POST',
    path: '/teams',
    group: 'People',
    summary: 'Make a team, which you own',
    example: { body: { name: 'payments' } },
    answers: { 201: 'Made.', 409: 'There is one of this name, whoever owns it.' },
  },
});

export const deleteTeam = defineHostVerb<{ team: string }, void>({
  name: 'deleteTeam',
  needs: 'manage_team',
  writes: true,
  input: { team: teamRef },
  run: async ({ accounts, engine, caller }, { team }) =>
    deleteWholeTeam({ accounts: await accounts(), engine }, caller, team),
  rest: {
    method: 'DELETE',
    path: '/teams/{team}',
    group: 'People',
    summary: 'Delete a team you own, with everything in it',
    answers: { 204: 'Its members, invites and tokens are gone, its memories deleted, its name is free again.' },
  },
});

export const transferTeam = defineHostVerb<{ team: string; to: string }, { team: ShownTeam }>({
  name: 'transferTeam',
  needs: 'manage_team',
  writes: true,
  input: { team: teamRef, to: label('User id or email of a member.', { max: 254, isRequired: true }) },
  async run({ accounts, caller }, { team: name, to }) {
    const team = await (await accounts()).transferTeam(caller, name, to);
    return { team: toShownTeam({ team, role: team.ownerId === caller.userId ? 'owner' : 'admin' }) };
  },
  rest: {
    method: 'POST',
    path: '/teams/{team}/transfer',
    group: 'People',
    summary: 'Hand a team you own to another member; you become an admin',
    example: { body: { to: 'user_01k9x2m4q8b7c6d5e4f3' } },
    answers: { 200: 'Handed over.' },
  },
});

export const leaveTeam = defineHostVerb<{ team: string }, void>({
  name: 'leaveTeam',
  needs: 'write',
  writes: true,
  input: { team: teamRef },
  run: async ({ accounts, caller }, { team }) => (await accounts()).leaveTeam(caller, team),
  rest: {
    method: 'POST',
    path: '/teams/{team}/leave',
    group: 'People',
    summary: 'Leave a team; its owner has to hand it over first',
    answers: { 204: 'You are not in it any more.' },
  },
});

import type { Accounts } from '../../auth/accounts.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Caller } from '../../model/caller.ts';
import type { Role, Team } from '../../model/identity.ts';
import { label, text } from '../field.ts';
import { definePeopleVerb } from './define-people-verb.ts';

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

export const listTeams = definePeopleVerb<object, { teams: ShownTeam[] }>({
  needs: 'read',
  at: 'GET /teams',
  summary: 'The teams you are in, oldest first',
  answers: { 200: 'With your role in each.' },
  run: async ({ accounts, caller }) => ({ teams: (await accounts.listTeams(caller)).map(toShownTeam) }),
});

export const createTeam = definePeopleVerb<{ name: string }, { team: ShownTeam }>({
  needs: 'write',
  at: 'POST /teams',
  summary: 'Make a team, which you own',
  example: { body: { name: 'payments' } },
  answers: { 201: 'Made.', 409: 'There is one of this name, whoever owns it.' },
  input: {
    name: text('Up to 40 lower-case letters, digits, "_" and "-"; unique on the server.', {
      max: 200,
      isRequired: true,
    }),
  },
  run: async ({ accounts, caller }, { name }) => ({
    team: toShownTeam({ team: await accounts.createTeam(caller, name), role: 'owner' }),
  }),
});

export const deleteTeam = definePeopleVerb<{ team: string }, void>({
  needs: 'manage_team',
  at: 'DELETE /teams/{team}',
  summary: 'Delete a team you own, with everything in it',
  answers: { 204: 'Its members, invites and tokens are gone, its memories deleted, its name is free again.' },
  input: { team: teamRef },
  run: ({ accounts, engine, caller }, { team }) => deleteWholeTeam({ accounts, engine }, caller, team),
});

export const transferTeam = definePeopleVerb<{ team: string; to: string }, { team: ShownTeam }>({
  needs: 'manage_team',
  at: 'POST /teams/{team}/transfer',
  summary: 'Hand a team you own to another member; you become an admin',
  example: { body: { to: 'user_01k9x2m4q8b7c6d5e4f3' } },
  answers: { 200: 'Handed over.' },
  input: { team: teamRef, to: label('User id or email of a member.', { max: 254, isRequired: true }) },
  async run({ accounts, caller }, { team: name, to }) {
    const team = await accounts.transferTeam(caller, name, to);
    return { team: toShownTeam({ team, role: team.ownerId === caller.userId ? 'owner' : 'admin' }) };
  },
});

export const leaveTeam = definePeopleVerb<{ team: string }, void>({
  needs: 'write',
  at: 'POST /teams/{team}/leave',
  summary: 'Leave a team; its owner has to hand it over first',
  answers: { 204: 'You are not in it any more.' },
  input: { team: teamRef },
  run: ({ accounts, caller }, { team }) => accounts.leaveTeam(caller, team),
});

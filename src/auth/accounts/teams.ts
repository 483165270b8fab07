import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { Team } from '../../model/identity.ts';
import type { Accounts } from '../accounts.ts';
import { newTeamId } from '../new-ids.ts';
import type { AccountPorts } from './account-ports.ts';
import { demandPerson, demandScope } from './account-rights.ts';
import { applyChanges, tryChanges } from './apply-changes.ts';
import { needMember } from './members.ts';
import { readTeamName } from './names.ts';
import { isOpenTo, needTeam } from './need-team.ts';

type TeamVerbs = Pick<Accounts, 'createTeam' | 'listTeams' | 'removeTeam' | 'transferTeam'>;

export function createTeamVerbs(ports: AccountPorts): TeamVerbs {
  const { identity } = ports;
  return {
    createTeam: (asker, name) => createTeam(ports, asker, name),
    async listTeams(asker) {
      demandScope(asker, 'read');
      return (await identity.listMemberships(asker.userId)).filter(({ teamId }) => isOpenTo(asker, teamId));
    },
    async removeTeam(asker, name) {
      const { team } = await needTeam(ports, asker, { name, action: 'manage_team' });
      await applyChanges(identity, asker, [{ op: 'remove_team', id: team.id }]);
      return team;
    },
    async transferTeam(asker, name, to) {
      const { team } = await needTeam(ports, asker, { name, action: 'manage_team' });
      const { userId, user } = await needMember(ports, team.id, to);
      if (userId === team.ownerId) return team;
      if (user !== null && user.suspendedAt !== null)
        throw new EngineError('invalid_input', 'This person is suspended.', {
          hint: 'Hand the team to somebody else.',
        });
      await applyChanges(identity, asker, [{ op: 'transfer_team', id: team.id, to: userId }]);
      return { ...team, ownerId: userId };
    },
  };
}

async function createTeam({ identity, clock }: AccountPorts, asker: Caller, name: string): Promise<Team> {
  demandScope(asker, 'write');
  demandPerson(asker, 'make teams');
  const now = clock.now();
  const team: Team = { id: newTeamId(now), name: readTeamName(name), ownerId: asker.userId, createdAt: now };
  const conflict = await tryChanges(identity, asker, [{ op: 'add_team', team }]);
  if (conflict === null) return team;
  throw new EngineError('duplicate', 'There is a team of this name already.', {
    hint: 'Take another name.',
    details: { field: 'name' },
  });
}

import { type Action, authorize } from '../../engine/authorize.ts';
import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { Membership, Team } from '../../model/identity.ts';
import type { AccountPorts } from './account-ports.ts';
import { ownsItself } from './account-rights.ts';

/** The team, if the asker is in it and may do this there. A team of others and one that does not exist look the same. */
export async function needTeam(
  { identity }: Pick<AccountPorts, 'identity'>,
  asker: Caller,
  { name, action }: { name: string; action: Action },
): Promise<Membership & { team: Team }> {
  const memberships = await identity.listMemberships(asker.userId);
  const found = memberships.find(({ team }) => team.name === name) ?? memberships.find(({ teamId }) => teamId === name);
  if (found === undefined || !isOpenTo(asker, found.teamId))
    throw new EngineError('not_found', 'team not found', { hint: '`ltm teams ls` shows the teams you are in.' });
  const roles = new Map([[found.teamId, found.role]]);
  authorize({ ...asker, space: found.teamId, spaces: [found.teamId], roles }, action, found.teamId);
  return found;
}

/** A credential bound to one team opens no other. */
export function isOpenTo(asker: Caller, teamId: string): boolean {
  return ownsItself(asker) || asker.roles.has(teamId);
}

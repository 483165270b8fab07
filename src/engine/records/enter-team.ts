import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { EngineParts } from '../engine-parts.ts';

/** The caller as a member of one team, seeing its space alone. A team that the caller is not in and one that does not exist look the same. */
export async function enterTeam({ sharing }: EngineParts, caller: Caller, team: string): Promise<Caller> {
  const found = (await sharing?.findTeam({ name: team.trim() })) ?? (await sharing?.findTeam({ id: team })) ?? null;
  if (found === null || !caller.roles.has(found.id) || !caller.spaces.includes(found.id)) {
    throw new EngineError('not_found', 'team not found', { hint: '`ltm teams ls` shows the teams you are in.' });
  }
  return { ...caller, space: found.id, spaces: [found.id] };
}

import { type Caller, type Door, OWNER_SPACE, OWNER_USER, ownerOf, SCOPES } from '../model/caller.ts';

/** The person at this machine: whoever can read the database file already has everything in it. */
export function ownerCaller(door: Door, client?: string): Caller {
  const spaces = [OWNER_SPACE];
  const caller: Caller = {
    userId: OWNER_USER,
    space: OWNER_SPACE,
    spaces,
    roles: ownerOf(spaces),
    scopes: new Set(SCOPES),
    door,
  };
  return client === undefined ? caller : { ...caller, client };
}

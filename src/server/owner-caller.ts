import { type Caller, type Door, OWNER_SPACE, OWNER_USER } from '../model/caller.ts';

/** The person at this machine: whoever can read the database file already has everything in it. */
export function ownerCaller(door: Door, client?: string): Caller {
  const caller: Caller = { userId: OWNER_USER, space: OWNER_SPACE, spaces: [OWNER_SPACE], scopes: new Set(['read', 'write', 'admin']), door };
  return client === undefined ? caller : { ...caller, client };
}

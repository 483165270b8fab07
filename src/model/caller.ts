import type { Role } from './identity.ts';
import type { SpaceId } from './ids.ts';

/** What a credential may be used for. */
export const SCOPES = ['read', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];
export const DOORS = ['cli', 'mcp', 'rest', 'library', 'import', 'job'] as const;
export type Door = (typeof DOORS)[number];

/** Who asks, as proved by the surface. Spaces come from the credential and nowhere else. */
export interface Caller {
  userId: string;
  /** Where this caller's writes go. */
  space: SpaceId;
  /** Everything this caller may search; holds `space`. */
  spaces: readonly SpaceId[];
  /** What the caller may do in each of `spaces`. */
  roles: ReadonlyMap<SpaceId, Role>;
  scopes: ReadonlySet<Scope>;
  door: Door;
  /** The program at the other end, as it named itself (`claude-code/2.1`); shown, never believed. */
  client?: string;
  /** The agent and machine that write, as the credential or a header names them; labels, not proofs. */
  agent?: string;
  /** The credential was made for this agent: nothing in a call changes the label. */
  agentIsFixed?: boolean;
  host?: string;
  /** What proved it; absent for the person at the machine of the database. */
  credential?: { kind: 'personal' | 'file' | 'oauth'; id: string };
  /** The credential is one that a person uses themselves, not one that they gave to a program. */
  isPerson?: boolean;
  /** The first eight hex digits of the token's SHA-256, by which people tell their tokens apart. */
  tokenHash8?: string;
  /** The project of what this caller stores without naming one. */
  project?: string;
  /** The workspace that this caller is bound to: what it stores bears it, and of workspaces it changes this one alone. */
  workspace?: string;
  /** The credential was made for it: no session binds it to another. */
  workspaceIsFixed?: boolean;
  /** Set: of all actions it may do these alone, whatever its scopes and role. */
  powers?: ReadonlySet<string>;
  /** IANA zone in which the caller's time phrases are read; the server's own where unknown. */
  timeZone?: string;
}

/** The space of the person who runs the program on their own machine. */
export const OWNER_SPACE: SpaceId = 'owner';
export const OWNER_USER = 'owner';

/** The roles of somebody to whom all these spaces belong. */
export function ownerOf(spaces: readonly SpaceId[]): ReadonlyMap<SpaceId, Role> {
  return new Map(spaces.map((space) => [space, 'owner']));
}

/** The person at this machine: whoever can read the database file already has everything in it. */
export function ownerCaller(door: Door, client?: string): Caller {
  const spaces = [OWNER_SPACE];
  const scopes = new Set(SCOPES);
  return { userId: OWNER_USER, space: OWNER_SPACE, spaces, roles: ownerOf(spaces), scopes, door, client };
}

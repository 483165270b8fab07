import type { SpaceId } from './ids.ts';

export type Scope = 'read' | 'write' | 'admin';
export type Door = 'cli' | 'mcp' | 'rest' | 'import' | 'job';

/** Who asks, as proved by the surface. Spaces come from the credential and nowhere else. */
export interface Caller {
  userId: string;
  /** Where this caller's writes go. */
  space: SpaceId;
  /** Everything this caller may search; holds `space`. */
  spaces: readonly SpaceId[];
  scopes: ReadonlySet<Scope>;
  door: Door;
  /** The program at the other end, as it named itself (`claude-code/2.1`); shown, never believed. */
  client?: string;
  /** IANA zone in which the caller's time phrases are read; the server's own where unknown. */
  timeZone?: string;
}

/** The space of the person who runs the program on their own machine. */
export const OWNER_SPACE: SpaceId = 'owner';
export const OWNER_USER = 'owner';

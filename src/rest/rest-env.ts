import type { Engine } from '../engine/engine.ts';
import type { Clock, Log } from '../engine/ports.ts';
import type { Caller } from '../model/caller.ts';
import type { MemoryTypes } from '../model/memory-types.ts';

/** Where these routes live. The paths of older systems, under /api, are separate apps beside this one. */
export const API_PATH = '/api/v1';

/** What the server has found out about a request before a route sees it. */
export interface RestEnv {
  Variables: { caller: Caller; requestId: string };
}

/** What the routes work with. */
export interface RestPorts {
  engine: Engine;
  clock: Clock;
  log: Log;
  memoryTypes: MemoryTypes;
  /** For callers who name none. */
  timeZone: string;
  maxBodyBytes: number;
  maxImportBytes: number;
}

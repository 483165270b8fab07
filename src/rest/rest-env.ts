import type { Accounts } from '../auth/accounts.ts';
import type { Grants } from '../auth/oauth/grants.ts';
import type { StreamGuard } from '../auth/stream-guard.ts';
import type { Engine } from '../engine/engine.ts';
import type { ObservedSearches } from '../engine/observe-searches.ts';
import type { Clock, Log } from '../engine/ports.ts';
import type { Caller } from '../model/caller.ts';
import type { MemoryTypes } from '../model/memory-types.ts';

/** Where these routes live. The paths of older systems, under /api, are separate apps beside this one. */
export const API_PATH = '/api/v1';

/** What the server has found out about a request before a route sees it. */
export interface RestEnv {
  Variables: { caller: Caller; requestId: string; address: string };
}

/** What the routes work with. */
export interface RestPorts {
  engine: Engine;
  accounts: Accounts;
  grants: Grants;
  /** Where this server is reached, without a slash at the end. */
  urlOf(request: Request): string;
  clock: Clock;
  log: Log;
  memoryTypes: MemoryTypes;
  /** For callers who name none. */
  timeZone: string;
  maxBodyBytes: number;
  maxImportBytes: number;
  /** Of what uploads a note or a transcript. */
  maxUploadBytes: number;
  maxDocumentBytes: number;
  /** Streams that stay open are held by it. */
  streams: StreamGuard;
  onSearch: ObservedSearches['listen'];
  /** Between heartbeats on the stream of events. */
  heartbeatMs: number;
}

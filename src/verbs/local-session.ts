import type { AuthStore } from '../auth/ports.ts';
import type { Engine } from '../engine/engine.ts';
import type { Log } from '../engine/ports.ts';
import type { Caller } from '../model/caller.ts';
import type { Config } from '../settings/config.ts';

/** The database opened by and for the person at this machine. */
export interface LocalSession {
  engine: Engine;
  /** Closed with the engine. */
  identity: AuthStore;
  caller: Caller;
  /** The same person with the teams they are in by now: another program may have made or joined one. */
  callerNow(): Promise<Caller>;
  /** Told of every verb that has written, where the session stays open. */
  afterWrite?(): void;
  config: Config;
  log: Log;
}

import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Engine } from '../engine/engine.ts';
import type { Caller } from '../model/caller.ts';

export interface Opened {
  engine: Engine;
  caller: Caller;
}

/** Gives the engine and who asks, for each request anew: a session may outlive the scopes its first request had. */
export type Access = (authInfo: AuthInfo | undefined) => Promise<Opened>;

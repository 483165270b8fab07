import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Engine } from '../engine/engine.ts';
import type { Caller } from '../model/caller.ts';
import { EngineError } from '../model/errors.ts';

export interface Opened {
  engine: Engine;
  caller: Caller;
  /** With the teams of this moment, where a process outlives what it knew at its start. */
  callerNow?(): Promise<Caller>;
  /** Told of every call that may have written. */
  afterWrite?(): void;
}

/** Gives the engine and who asks, for each request anew: a session may outlive the scopes its first request had. */
export type Access = (authInfo: AuthInfo | undefined) => Promise<Opened>;

/** The SDK knows no callers; who asks is looked up by the very object it was given, which no request can make. */
export function createHttpAccess() {
  const proved = new WeakMap<AuthInfo, Opened>();
  const access: Access = async (authInfo) => {
    const opened = authInfo && proved.get(authInfo);
    if (opened === undefined) throw new EngineError('unauthorized', 'This request carries no proved caller.');
    return opened;
  };
  /** What the SDK hands on with a request of a caller who has been proved. */
  function admit(opened: Opened): AuthInfo {
    const { userId, scopes } = opened.caller;
    const authInfo: AuthInfo = { token: '', clientId: userId, scopes: [...scopes] };
    proved.set(authInfo, opened);
    return authInfo;
  }
  return { access, admit };
}

/** What the client calls itself; recorded as the source of what it stores, believed by nobody. */
export function nameClient(opened: Opened, { name, version }: { name: string; version: string }): Opened {
  return { ...opened, caller: { ...opened.caller, client: `${name}/${version}`.slice(0, 100) } };
}

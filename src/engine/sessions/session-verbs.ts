import type { Caller } from '../../model/caller.ts';
import type { SpaceId } from '../../model/ids.ts';
import type { ContextRequest, SessionContext } from '../../model/session-context.ts';
import type { SessionEvent } from '../../model/session-event.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { Search } from '../search/search.ts';
import type { RecordedEvents } from './record-events.ts';

/** What can be done with what happened in agents' sessions. */
export interface SessionVerbs {
  /** Each event exactly once by its key, whoever delivers it and however often. */
  recordEvents(caller: Caller, events: readonly SessionEvent[]): Promise<RecordedEvents>;
  /** What an agent should know at the start of a session, or when its person turns to something else; with a reason where that is nothing. */
  getContext(caller: Caller, request: ContextRequest): Promise<SessionContext>;
}

export function createSessionVerbs(parts: EngineParts, search: Search): SessionVerbs {
  const inTurn = createQueue();
  return {
    getContext: async (caller, request) =>
      (await import('./context/get-context.ts')).getContext(parts, search, caller, request),
    recordEvents: (caller, events) =>
      inTurn(caller.space, async () => (await import('./record-events.ts')).recordEvents(parts, caller, events)),
  };
}

/** Numbers are given one after the other: within a process nobody has to try twice for them. */
function createQueue(): <T>(space: SpaceId, work: () => Promise<T>) => Promise<T> {
  const last = new Map<SpaceId, Promise<unknown>>();
  return (space, work) => {
    const before = last.get(space) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine
      .catch(() => undefined)
      .then(() => {
        if (last.get(space) === settled) last.delete(space);
      });
    last.set(space, settled);
    return mine;
  };
}

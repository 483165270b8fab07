import type { Caller } from '../../model/caller.ts';
import type { SpaceId } from '../../model/ids.ts';
import type { SessionEvent } from '../../model/session-event.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { RecordedEvents } from './record-events.ts';

/** What can be done with what happened in agents' sessions. */
export interface SessionVerbs {
  /** Each event exactly once by its key, whoever delivers it and however often. */
  recordEvents(caller: Caller, events: readonly SessionEvent[]): Promise<RecordedEvents>;
}

export function createSessionVerbs(parts: EngineParts): SessionVerbs {
  const inTurn = createQueue();
  return {
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

import type { SpaceId } from '../model/ids.ts';

export type InTurn = <T>(space: SpaceId, work: () => Promise<T>) => Promise<T>;

/** What would get in its own way is done one after the other in a space: within a process nobody has to try twice. */
export function createTurns(): InTurn {
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

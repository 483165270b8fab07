import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest stretch of background work between two turns of the event loop, in milliseconds. */
const STRETCH_MS = 8;

/** Call it now and then in long work: it lets others run when a stretch is over. */
export type Pace = () => Promise<void> | undefined;

export function createPacer(): Pace {
  let since = performance.now();
  return () => {
    if (performance.now() - since < STRETCH_MS) return undefined;
    return giveWay().then(() => {
      since = performance.now();
    });
  };
}

const LOOKED_AT_ONCE = 500;

/** What passes, of very many. */
export async function filterInTurns<T>(items: readonly T[], passes: (item: T) => boolean): Promise<T[]> {
  const pace = createPacer();
  const kept: T[] = [];
  for (const [i, item] of items.entries()) {
    if (passes(item)) kept.push(item);
    if (i % LOOKED_AT_ONCE === 0) await pace();
  }
  return kept;
}

/** Two turns: the first may come before timers and what has arrived meanwhile were looked at. */
export async function giveWay(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long reads may follow each other without a turn of the event loop, in milliseconds. */
const STRETCH_MS = 8;

/**
 * Answers of SQLite are there at once, so work that asks for one after the other would never let anything else run. Called before each: once a stretch
 * is over it waits for the next turn, otherwise it is nothing.
 */
export function createTurnPacer(): () => Promise<void> | undefined {
  /** When the first read of this turn began; null: there was none. */
  let since: number | null = null;
  return () => {
    if (since === null) {
      since = performance.now();
      setImmediate(() => {
        since = null;
      });
      return undefined;
    }
    return performance.now() - since < STRETCH_MS ? undefined : giveWay();
  };
}

/** Two turns: the first may come before timers and what has arrived meanwhile were looked at. */
async function giveWay(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

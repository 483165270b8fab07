import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest stretch of background work between two turns of the event loop, in milliseconds. */
const STRETCH_MS = 8;

/** Call it now and then in long work: it lets others run when a stretch is over. */
export function createPacer(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < STRETCH_MS) return undefined;
    return nextTurn().then(() => {
      since = performance.now();
    });
  };
}

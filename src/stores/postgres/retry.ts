import { setTimeout as sleep } from 'node:timers/promises';
import { isPassing, translateError } from './translate-error.ts';

/** Long enough to sit out a restart of the server, short enough that nobody waits in vain. */
export const LONGEST_WAIT_MS = 10_000;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 1_000;

/** Does the work again while what stops it is passing. Throws EngineErrors only. The work must leave nothing behind when it fails. */
export async function retryWhilePassing<T>(
  work: () => Promise<T>,
  longestWaitMs: number = LONGEST_WAIT_MS,
  isWorthRetrying: (error: unknown) => boolean = isPassing,
): Promise<T> {
  const start = performance.now();
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      const wait = pause * (0.5 + Math.random());
      if (!isWorthRetrying(error) || performance.now() - start + wait > longestWaitMs) throw translateError(error);
      await sleep(wait);
    }
  }
}

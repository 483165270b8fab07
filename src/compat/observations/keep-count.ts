import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../engine/ports.ts';

/** Anybody may ask, as often as they like: it is counted once in this time. */
const KEPT_MS = 1_000;
/** Nobody waits longer for a count than this. */
const WAIT_MS = 300;

/** The last count, made anew where it is old; while that takes, or cannot be done, the one before. */
export function keepCount(count: () => Promise<number>, log: Log): () => Promise<number> {
  let known = 0;
  let countedAt = Number.NEGATIVE_INFINITY;
  let counting: Promise<void> | null = null;

  async function countAnew(): Promise<void> {
    try {
      known = await count();
    } catch (error) {
      log.warn('pending_not_counted', { error: error instanceof Error ? error.name : typeof error });
    }
    countedAt = performance.now();
    counting = null;
  }

  return async () => {
    if (counting === null && performance.now() - countedAt >= KEPT_MS) counting = countAnew();
    if (counting !== null) await Promise.race([counting, sleep(WAIT_MS, undefined, { ref: false })]);
    return known;
  };
}

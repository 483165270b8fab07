import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy, translateError } from './translate-error.ts';

/** SQLite itself never waits here (busy timeout 0), since that would stop the event loop; we wait between tries instead. */
export const LONGEST_WAIT_MS = 30_000;

/** 1 to 25 ms: short against the few milliseconds a write takes, jittered so that waiting processes do not try in step. */
export async function waitBeforeRetry(): Promise<void> {
  await sleep(1 + Math.random() * 24);
}

/** Runs synchronous work again while another process is in its way. Throws EngineErrors only. */
export async function retryWhileBusy<T>(work: () => T, longestWaitMs: number = LONGEST_WAIT_MS): Promise<T> {
  const start = performance.now();
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() - start > longestWaitMs) throw translateError(error);
    }
    await waitBeforeRetry();
  }
}

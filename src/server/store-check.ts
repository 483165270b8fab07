import { setTimeout as sleep } from 'node:timers/promises';

/** A database that takes longer than this serves nobody. */
const LIMIT_MS = 2_000;
/** Anybody may ask, as often as they like: the database is asked once in this time. */
const KEPT_MS = 1_000;

/** Whether the database answers a read. No second read is begun while one is under way. */
export function createStoreCheck(read: () => Promise<unknown>): () => Promise<boolean> {
  let reading: Promise<boolean> | null = null;
  let kept: { answer: Promise<boolean>; until: number } | null = null;

  function ask(): Promise<boolean> {
    reading ??= read()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        reading = null;
      });
    return Promise.race([reading, sleep(LIMIT_MS, false, { ref: false })]);
  }

  return () => {
    const now = performance.now();
    if (kept === null || now >= kept.until) kept = { answer: ask(), until: now + KEPT_MS };
    return kept.answer;
  };
}

import { setTimeout as sleep } from 'node:timers/promises';

/** A database that takes longer than this serves nobody. */
const LIMIT_MS = 2_000;
/** Anybody may ask, as often as they like: the database is asked once in this time. */
const KEPT_MS = 1_000;

/** Whether the database answers a read. No second read is begun while one is under way. */
export function createStoreCheck(
  read: () => Promise<unknown>,
  { limitMs = LIMIT_MS, now = () => performance.now() } = {},
): () => Promise<boolean> {
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
    return Promise.race([reading, sleep(limitMs, false, { ref: false })]);
  }

  return () => {
    const at = now();
    if (kept === null || at >= kept.until) kept = { answer: ask(), until: at + KEPT_MS };
    return kept.answer;
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '../model/errors.ts';

/** A database that takes longer than this serves nobody. */
const LIMIT_MS = 2_000;
/** Anybody may ask, as often as they like: the database is asked once in this time. */
const KEPT_MS = 1_000;

/** outdated: the database answers, but a newer program has upgraded it, and this one must not write to it any more. */
export type StoreState = 'up' | 'down' | 'outdated';

/** How the database answers a read. No second read is begun while one is under way. */
export function createStoreCheck(
  read: () => Promise<unknown>,
  { limitMs = LIMIT_MS, now = () => performance.now() } = {},
): () => Promise<StoreState> {
  let reading: Promise<StoreState> | null = null;
  let kept: { answer: Promise<StoreState>; until: number } | null = null;

  function ask(): Promise<StoreState> {
    reading ??= read()
      .then(
        () => 'up' as const,
        (error: unknown) =>
          error instanceof EngineError && error.code === 'storage_unsupported'
            ? ('outdated' as const)
            : ('down' as const),
      )
      .finally(() => {
        reading = null;
      });
    return Promise.race([reading, sleep(limitMs, 'down' as const, { ref: false })]);
  }

  return () => {
    const at = now();
    if (kept === null || at >= kept.until) kept = { answer: ask(), until: at + KEPT_MS };
    return kept.answer;
  };
}

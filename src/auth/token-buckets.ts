import type { Clock } from '../engine/ports.ts';

export interface BucketRule {
  /** How many at once. */
  burst: number;
  /** Milliseconds until one more is allowed. */
  refillMs: number;
  /** Keys remembered at most; the one not seen for longest is forgotten first. */
  maxKeys?: number;
}

export interface TokenBuckets {
  /** Takes one; 0 when there was one, otherwise the milliseconds until there is. */
  take(key: string): number;
  /** As take would answer, without taking. */
  wait(key: string): number;
  giveBack(key: string): void;
}

const MAX_KEYS = 10_000;

/** A limit per key that lets bursts through and evens out over time, in bounded memory. */
export function createTokenBuckets(clock: Clock, { burst, refillMs, maxKeys = MAX_KEYS }: BucketRule): TokenBuckets {
  const buckets = new Map<string, { left: number; at: number }>();
  const leftOf = (key: string, now: number): number => {
    const bucket = buckets.get(key);
    return bucket === undefined ? burst : Math.min(burst, bucket.left + Math.max(0, now - bucket.at) / refillMs);
  };
  const keep = (key: string, left: number, now: number): void => {
    buckets.delete(key);
    if (left >= burst) return;
    buckets.set(key, { left, at: now });
    if (buckets.size > maxKeys) buckets.delete(buckets.keys().next().value!);
  };
  const waitOf = (left: number): number => (left >= 1 ? 0 : Math.ceil((1 - left) * refillMs));
  return {
    take(key) {
      const now = clock.now();
      const left = leftOf(key, now);
      keep(key, left >= 1 ? left - 1 : left, now);
      return waitOf(left);
    },
    wait: (key) => waitOf(leftOf(key, clock.now())),
    giveBack(key) {
      const now = clock.now();
      keep(key, leftOf(key, now) + 1, now);
    },
  };
}

import type { Clock } from '../engine/ports.ts';

const BURST = 10;
const REFILL_MS = 60_000;
const MAX_ADDRESSES = 10_000;

export interface FailureLimit {
  /** Counts one failure; false when this address has had too many. */
  allow(address: string): boolean;
}

/** Ten wrong tokens at once, then one a minute, per address. Only failures are counted, so a right token always gets through. */
export function createFailureLimit(clock: Clock): FailureLimit {
  const buckets = new Map<string, { left: number; at: number }>();
  return {
    allow(address) {
      const now = clock.now();
      const bucket = buckets.get(address) ?? { left: BURST, at: now };
      const left = Math.min(BURST, bucket.left + Math.max(0, now - bucket.at) / REFILL_MS);
      buckets.delete(address);
      buckets.set(address, { left: Math.max(0, left - 1), at: now });
      if (buckets.size > MAX_ADDRESSES) buckets.delete(buckets.keys().next().value!);
      return left >= 1;
    },
  };
}

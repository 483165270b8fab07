import type { Clock } from '../engine/ports.ts';
import { addressKey } from './address-key.ts';
import { createTokenBuckets } from './token-buckets.ts';

const RULE = { burst: 10, refillMs: 60_000 };

export interface FailureLimit {
  /** Counts one failure; false when this address has had too many. */
  allow(address: string): boolean;
}

/** Ten wrong tokens at once, then one a minute, per address. Only failures are counted, so a right token always gets through. */
export function createFailureLimit(clock: Clock): FailureLimit {
  const buckets = createTokenBuckets(clock, RULE);
  return { allow: (address) => buckets.take(addressKey(address)) === 0 };
}

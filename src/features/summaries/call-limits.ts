import type { Clock } from '../../engine/ports.ts';

/** After so many calls in a row that failed, the service is left in peace. */
const BREAK_AFTER = 5;
const FIRST_BREAK_MS = 60_000;
const LONGEST_BREAK_MS = 300_000;
const MINUTE = 60_000;

export interface CallLimits {
  /** How many calls may be made now. */
  free(): number;
  /** The service is left in peace just now. */
  isBroken(): boolean;
  /** Counts one call against the rate. */
  begin(): void;
  succeeded(): void;
  /** `isRefused`: the key is wrong or has no right; trying again is of no use. */
  failed(isRefused: boolean): void;
}

/** A rate per minute, and a breaker: it opens for a minute, then twice as long each time the first call after it fails, up to five. */
export function createCallLimits({ perMinute, clock }: { perMinute: number; clock: Clock }): CallLimits {
  const begun: number[] = [];
  let failures = 0;
  let breakMs = 0;
  let brokenUntil = Number.NEGATIVE_INFINITY;
  const open = () => {
    breakMs = breakMs === 0 ? FIRST_BREAK_MS : Math.min(breakMs * 2, LONGEST_BREAK_MS);
    brokenUntil = clock.now() + breakMs;
  };
  return {
    free() {
      const now = clock.now();
      if (now < brokenUntil) return 0;
      while (begun.length > 0 && begun[0]! <= now - MINUTE) begun.shift();
      const left = Math.max(0, perMinute - begun.length);
      return breakMs === 0 ? left : Math.min(1, left);
    },
    isBroken: () => clock.now() < brokenUntil,
    begin: () => begun.push(clock.now()),
    succeeded() {
      [failures, breakMs] = [0, 0];
    },
    failed(isRefused) {
      failures++;
      if (isRefused || failures >= BREAK_AFTER) open();
    },
  };
}

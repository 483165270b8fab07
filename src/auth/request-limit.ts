import type { Clock } from '../engine/ports.ts';
import { EngineError } from '../model/errors.ts';
import { createTokenBuckets, type TokenBuckets } from './token-buckets.ts';

const MINUTE_MS = 60_000;

/** Each 0 is "no limit". */
export interface RequestLimitSettings {
  writesPerMinute: number;
  /** Writes that may come at once before the rate holds. */
  writeBurst: number;
  readsPerMinute: number;
}

export interface RequestLimit {
  /** Counts one request of this person; throws rate_limited, with `retry_after` in seconds, when there were too many. */
  count(userId: string, kind: 'read' | 'write'): void;
}

/** Keeps one runaway agent from slowing everybody else down. Counted per person, so that more tokens do not give more. */
export function createRequestLimit(
  clock: Clock,
  { writesPerMinute, writeBurst, readsPerMinute }: RequestLimitSettings,
): RequestLimit {
  const rule = (perMinute: number, burst: number): TokenBuckets | null =>
    perMinute === 0 ? null : createTokenBuckets(clock, { burst: Math.max(1, burst), refillMs: MINUTE_MS / perMinute });
  const limits = { read: rule(readsPerMinute, readsPerMinute), write: rule(writesPerMinute, writeBurst) };
  return {
    count(userId, kind) {
      const wait = limits[kind]?.take(userId) ?? 0;
      if (wait === 0) return;
      const seconds = Math.ceil(wait / 1000);
      const setting = kind === 'read' ? 'reads_per_minute' : 'writes_per_minute';
      throw new EngineError('rate_limited', `Too many ${kind}s in a short time.`, {
        hint: `Try again in ${seconds} s. The operator can change the setting ${setting}.`,
        details: { retry_after: seconds, setting },
      });
    },
  };
}

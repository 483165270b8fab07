import type { Clock } from '../engine/ports.ts';
import { EngineError } from '../model/errors.ts';
import { addressKey } from '../model/networks.ts';

export interface BucketRule {
  /** How many at once. */
  burst: number;
  /** Milliseconds until one more is allowed. */
  refillMs: number;
}

export interface TokenBuckets {
  /** Takes one; 0 when there was one, otherwise the milliseconds until there is. */
  take(key: string): number;
  /** As take would answer, without taking. */
  wait(key: string): number;
  giveBack(key: string): void;
  /** Taken elsewhere, and not to be refused: there may be fewer than none left then. */
  note(key: string, count: number): void;
}

/** Keys remembered at most; the one not seen for longest is forgotten first. */
const MAX_KEYS = 10_000;

/** A limit per key that lets bursts through and evens out over time, in bounded memory. */
export function createTokenBuckets(clock: Clock, { burst, refillMs }: BucketRule): TokenBuckets {
  const buckets = new Map<string, { left: number; at: number }>();
  const leftOf = (key: string, now: number): number => {
    const bucket = buckets.get(key);
    return bucket === undefined ? burst : Math.min(burst, bucket.left + Math.max(0, now - bucket.at) / refillMs);
  };
  const keep = (key: string, left: number, now: number): void => {
    buckets.delete(key);
    if (left >= burst) return;
    buckets.set(key, { left, at: now });
    if (buckets.size > MAX_KEYS) buckets.delete(buckets.keys().next().value!);
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
    note(key, count) {
      const now = clock.now();
      keep(key, Math.max(-burst, leftOf(key, now) - count), now);
    },
  };
}

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
  /** Requests that another process has answered. */
  note(userId: string, kind: 'read' | 'write', count: number): void;
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
    note: (userId, kind, count) => limits[kind]?.note(userId, count),
  };
}

/** From one address, whatever the account: ten at once, then one a minute. */
const PER_ADDRESS = { burst: 10, refillMs: 60_000 };
/** For one account, from anywhere: at most 20 in any hour. */
const PER_ACCOUNT = { burst: 10, refillMs: 360_000 };
/** Where this person has signed in before, strangers elsewhere cannot use up the tries. */
const PER_KNOWN_PAIR = { burst: 10, refillMs: 60_000 };
/** For whoever runs the server, wherever from: three at once, then one in five minutes. */
const PER_OPERATOR = { burst: 3, refillMs: 300_000 };
const MAX_KNOWN = 10_000;

export interface LoginLimit {
  /** Counts an attempt before its password is looked at, so that many at once do not slip through; throws rate_limited. A success is not counted. */
  begin(address: string, account: string, isOperator?: boolean): { succeeded(): void };
}

/** Two keys, address and account, in bounded memory. A lock is soft: it ends by itself, and never holds at an address where the account was in use. */
export function createLoginLimit(clock: Clock): LoginLimit {
  const addresses = createTokenBuckets(clock, PER_ADDRESS);
  const accounts = createTokenBuckets(clock, PER_ACCOUNT);
  const pairs = createTokenBuckets(clock, PER_KNOWN_PAIR);
  const operators = createTokenBuckets(clock, PER_OPERATOR);
  const known = new Set<string>();

  const remember = (pair: string): void => {
    known.delete(pair);
    known.add(pair);
    if (known.size > MAX_KNOWN) known.delete(known.values().next().value!);
  };
  return {
    begin(address, account, isOperator = false) {
      const from = addressKey(address);
      const pair = `${from}\n${account}`;
      const counted = known.has(pair)
        ? [{ buckets: isOperator ? operators : pairs, key: pair }]
        : [
            { buckets: addresses, key: from },
            { buckets: isOperator ? operators : accounts, key: account },
          ];
      const wait = Math.max(...counted.map(({ buckets, key }) => buckets.wait(key)));
      if (wait > 0) throw tooMany(wait);
      for (const { buckets, key } of counted) buckets.take(key);
      return {
        succeeded() {
          for (const { buckets, key } of counted) buckets.giveBack(key);
          remember(pair);
        },
      };
    },
  };
}

function tooMany(wait: number): EngineError {
  const seconds = Math.ceil(wait / 1000);
  return new EngineError('rate_limited', 'Too many failed attempts to sign in.', {
    hint: `Try again in ${seconds} s.`,
    details: { retry_after: seconds },
  });
}

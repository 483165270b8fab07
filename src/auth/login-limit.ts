import type { Clock } from '../engine/ports.ts';
import { EngineError } from '../model/errors.ts';
import { addressKey } from './address-key.ts';
import { createTokenBuckets } from './token-buckets.ts';

/** From one address, whatever the account: ten at once, then one a minute. */
const PER_ADDRESS = { burst: 10, refillMs: 60_000 };
/** For one account, from anywhere: at most 20 in any hour. */
const PER_ACCOUNT = { burst: 10, refillMs: 360_000 };
/** Where this person has signed in before, strangers elsewhere cannot use up the tries. */
const PER_KNOWN_PAIR = { burst: 10, refillMs: 60_000 };
/** For whoever runs the server, wherever from: three at once, then one in five minutes. */
const PER_OPERATOR = { burst: 3, refillMs: 300_000 };
const MAX_KNOWN = 10_000;

export interface LoginAttempt {
  succeeded(): void;
}

export interface LoginLimit {
  /** Counts an attempt before its password is looked at, so that many at once do not slip through; throws rate_limited. A success is not counted. */
  begin(address: string, account: string, isOperator?: boolean): LoginAttempt;
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

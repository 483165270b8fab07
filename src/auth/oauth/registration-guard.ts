import type { Clock } from '../../engine/ports.ts';
import { addressKey } from '../../model/networks.ts';
import type { OAuthStore } from '../ports.ts';
import { createTokenBuckets } from '../token-buckets.ts';
import { CLIENT } from './oauth-adapter.ts';

/** Twenty an hour from one address. */
const PER_ADDRESS = { burst: 20, refillMs: 180_000 };
/** Clients that nobody has let in yet. They are forgotten after a day, so a flood passes by itself. */
const MAX_UNUSED = 10_000;
const SWEEP = 1000;

export interface RegistrationRefusal {
  status: number;
  problem: string;
  /** Milliseconds until it is worth another try. */
  wait: number;
}

export interface RegistrationGuard {
  /** null: the client may register. */
  check(address: string): Promise<RegistrationRefusal | null>;
  /** Nothing came of it, so it is not counted. */
  giveBack(address: string): void;
}

/** Registration is open to strangers, so it is kept small: per address, and in all. */
export function createRegistrationGuard({
  store,
  clock,
  maxUnused = MAX_UNUSED,
}: {
  store: OAuthStore;
  clock: Clock;
  maxUnused?: number;
}): RegistrationGuard {
  const buckets = createTokenBuckets(clock, PER_ADDRESS);
  return {
    async check(address) {
      const wait = buckets.take(addressKey(address));
      if (wait > 0) return { status: 429, problem: 'Too many registrations from this address.', wait };
      if ((await store.countArtifacts(CLIENT)) < maxUnused) return null;
      await store.removeExpiredArtifacts(clock.now(), SWEEP);
      if ((await store.countArtifacts(CLIENT)) < maxUnused) return null;
      return { status: 503, problem: 'Too many unused clients are registered.', wait: 3600_000 };
    },
    giveBack: (address) => buckets.giveBack(addressKey(address)),
  };
}

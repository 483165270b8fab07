import type { Clock } from '../../engine/ports.ts';

/** Between two questions of a waiting device, as it is told. */
export const POLL_SECONDS = 5;
/** A second less than told: networks do not keep time. */
const LEAST_MS = (POLL_SECONDS - 1) * 1000;
const MAX_CODES = 10_000;

export interface PollPace {
  /** Notes that the device with this code asks now. */
  isTooSoon(code: string): boolean;
}

/** Of each process alone, in bounded memory: whoever is forgotten may ask once more. */
export function createPollPace(clock: Clock): PollPace {
  const lastAsked = new Map<string, number>();
  return {
    isTooSoon(code) {
      const now = clock.now();
      const before = lastAsked.get(code);
      lastAsked.delete(code);
      lastAsked.set(code, now);
      if (lastAsked.size > MAX_CODES) lastAsked.delete(lastAsked.keys().next().value!);
      return before !== undefined && now - before < LEAST_MS;
    },
  };
}

import type { Clock } from '../engine/ports.ts';
import type { Instant } from '../model/ids.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The clock of an evaluation: the same times in every run, in the order of the conversation. */
export interface SteppingClock extends Clock {
  /** From now on every reading is a minute after the one before; the first is a day later. */
  startSession(): void;
  /** The last time stays, as it does while somebody asks. */
  stop(): void;
}

export function createSteppingClock(start: Instant): SteppingClock {
  let time = start;
  let step = 0;
  return {
    now() {
      time += step;
      return time;
    },
    startSession() {
      time += DAY_MS;
      step = MINUTE_MS;
    },
    stop() {
      step = 0;
    },
  };
}

import type { Clock } from '../engine/ports.ts';
import { EngineError } from '../model/errors.ts';

const DAY = 86_400_000;

export interface DailyBudget {
  /** Throws, and spends nothing, when the day's budget does not reach. */
  spend(texts: number): void;
}

/** Counts what one process sends in a UTC day, so that a runaway agent cannot run up a bill. 0: no limit. */
export function createDailyBudget(limit: number, clock: Clock): DailyBudget {
  let day = 0;
  let spent = 0;
  return {
    spend(texts) {
      const today = Math.floor(clock.now() / DAY);
      if (today !== day) {
        day = today;
        spent = 0;
      }
      if (limit > 0 && spent + texts > limit) {
        throw new EngineError(
          'embedder_failed',
          `The daily budget of ${limit} texts for the embeddings service is spent.`,
          {
            hint: 'It starts anew at midnight UTC; the setting embedder_daily_texts raises it.',
          },
        );
      }
      spent += texts;
    },
  };
}

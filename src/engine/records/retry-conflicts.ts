import { setTimeout as pause } from 'node:timers/promises';
import { EngineError } from '../../model/errors.ts';

/** Enough for dozens of writers who all want the same record; each attempt lets at least one of them through. */
const MAX_ATTEMPTS = 30;
const LONGEST_PAUSE_MS = 50;

/** Tries until `attempt` gives a result instead of null; pauses of random length keep rivals from meeting again and again. */
export async function retryConflicts<T>(attempt: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
    const result = await attempt();
    if (result !== null) return result;
    await pause(Math.random() * Math.min(LONGEST_PAUSE_MS, 2 ** tries));
  }
  throw new EngineError('busy', 'Others kept changing the same record.', { hint: 'Try again in a moment.' });
}

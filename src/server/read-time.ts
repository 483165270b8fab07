import type { Instant } from '../model/ids.ts';
import { type Config, engineSettings } from './config.ts';
import { systemClock } from './open-engine.ts';

/** A date or a phrase in the person's zone, for settings of a memory that the engine takes as an instant. */
export async function readTime(text: string, config: Config, edge: 'start' | 'end'): Promise<Instant> {
  const { readInstant } = await import('../engine/time/read-instant.ts');
  return readInstant(text, { now: systemClock.now(), timeZone: engineSettings(config).timeZone, edge });
}

import { readTime as readInZone } from '../engine/time/read-time.ts';
import type { Instant } from '../model/ids.ts';
import { type Config, engineSettings } from './config.ts';
import { systemClock } from './system-clock.ts';

/** A date or a phrase in the person's zone, for settings of a memory that the engine takes as an instant. */
export function readTime(text: string, config: Config, edge: 'start' | 'end'): Promise<Instant> {
  return readInZone(text, { now: systemClock.now(), timeZone: engineSettings(config).timeZone, edge });
}

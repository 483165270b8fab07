import { readTime as readInZone } from '../engine/time/read-time.ts';
import type { Caller } from '../model/caller.ts';
import type { Instant } from '../model/ids.ts';
import type { RestPorts } from './rest-env.ts';

type TimePorts = Pick<RestPorts, 'clock' | 'timeZone'> & { caller: Caller };

export function readTime<T extends string | null | undefined>(
  text: T,
  edge: 'start' | 'end',
  { clock, caller, timeZone }: TimePorts,
): Promise<Instant | Exclude<T, string>> {
  return readInZone(text, { now: clock.now(), timeZone: caller.timeZone ?? timeZone, edge });
}

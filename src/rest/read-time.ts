import type { Caller } from '../model/caller.ts';
import type { Instant } from '../model/ids.ts';
import type { RestPorts } from './rest-env.ts';

type TimePorts = Pick<RestPorts, 'clock' | 'timeZone'> & { caller: Caller };

/** Absent stays absent; null, where a field can be cleared, stays null. */
export async function readTime<T extends string | null | undefined>(
  text: T,
  edge: 'start' | 'end',
  ports: TimePorts,
): Promise<Instant | Exclude<T, string>> {
  if (typeof text !== 'string') return text as Exclude<T, string>;
  const { readInstant } = await import('../engine/time/read-instant.ts');
  return readInstant(text, { now: ports.clock.now(), timeZone: ports.caller.timeZone ?? ports.timeZone, edge });
}

import type { Caller, Door } from '../../model/caller.ts';
import { type Source, TRUST_TIERS, type Trust } from '../../model/record.ts';

const TRUST_OF_DOOR: Record<Door, Trust> = {
  cli: 'user',
  mcp: 'agent',
  rest: 'agent',
  job: 'agent',
  import: 'untrusted',
};

/** Origin and trust come from the proven caller and the door it used, never from what it says of itself. */
export function stamp(caller: Caller, host?: string | null): { source: Source; trust: Trust } {
  const source: Source = { door: caller.door, userId: caller.userId };
  if (caller.client !== undefined) source.client = caller.client;
  if (host !== undefined && host !== null) source.host = host;
  return { source, trust: TRUST_OF_DOOR[caller.door] };
}

export function lowestTrust(a: Trust, b: Trust): Trust {
  return TRUST_TIERS.indexOf(a) < TRUST_TIERS.indexOf(b) ? a : b;
}

/** Who wrote, for the change feed. */
export function actorOf(caller: Caller): string {
  return `${caller.door}:${caller.userId}`;
}

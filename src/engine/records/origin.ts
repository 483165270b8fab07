import type { Caller, Door } from '../../model/caller.ts';
import { defined } from '../../model/defined.ts';
import { type Source, TRUST_TIERS, type Trust } from '../../model/record.ts';

const TRUST_OF_DOOR: Record<Door, Trust> = {
  cli: 'user',
  mcp: 'agent',
  rest: 'agent',
  library: 'agent',
  job: 'agent',
  import: 'untrusted',
};

/** Origin and trust come from the proven caller and the door it used, never from what it says of itself. */
export function originOf(
  { door, userId, client }: Caller,
  host: string | null | undefined,
): { source: Source; trust: Trust } {
  return { source: defined({ door, userId, client, host: host ?? undefined }), trust: TRUST_OF_DOOR[door] };
}

export function lowestTrust(a: Trust, b: Trust): Trust {
  return TRUST_TIERS.indexOf(a) < TRUST_TIERS.indexOf(b) ? a : b;
}

/** Who wrote, for the change feed. */
export function actorOf(caller: Caller): string {
  return `${caller.door}:${caller.userId}`;
}

import type { Caller, Door } from '../../model/caller.ts';
import { defined } from '../../model/defined.ts';
import {
  isLessTrusted,
  lowestTrust,
  type RecordContent,
  type Source,
  type StoredRecord,
  TRUST_TIERS,
  type Trust,
} from '../../model/record.ts';
import { invalid } from './check-text.ts';

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

/** How far whatever this caller brings is believed. */
export function trustOf({ door }: Caller): Trust {
  return TRUST_OF_DOOR[door];
}

/** Of a text that takes the place of another: whoever wrote it, and never more trust than there was. */
export function originOver(
  known: Pick<RecordContent, 'source' | 'trust'>,
  caller: Caller,
): { source: Source; trust: Trust } {
  const { source, trust } = originOf(caller, known.source.host);
  return { source, trust: lowestTrust(known.trust, trust) };
}

/** What a caller says of how far its own new text is to be believed: less than its door gives, never more. */
export function lowerTrust(given: Trust, said: Trust): Trust {
  if (!TRUST_TIERS.includes(said)) throw invalid('trust', `must be one of ${TRUST_TIERS.join(', ')}`);
  if (isLessTrusted(given, said)) throw invalid('trust', `can be at most ${given} for what is stored here`);
  return said;
}

/** Who wrote, for the change feed. */
export function actorOf(caller: Caller): string {
  return `${caller.door}:${caller.userId}`;
}

/** Whether the program made it, and nobody has written it anew since. */
export function isMadeByJob({ source }: Pick<StoredRecord, 'source'>): boolean {
  return source.door === 'job' || source.claimed?.door === 'job';
}

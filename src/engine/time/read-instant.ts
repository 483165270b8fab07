import type { Instant } from '../../model/ids.ts';
import { normalizePhrase } from './lex-phrase.ts';
import { readSpan } from './read-span.ts';
import { MAX_PHRASE_LENGTH, makeContext, unreadableTime } from './time-span.ts';

export interface InstantOptions {
  now: Instant;
  timeZone: string;
  /** Which side of a day, month, year … is meant. Times of day and "2 hours ago" are moments: both sides are the same. */
  edge: 'start' | 'end';
}

/** One instant from an ISO date or time or from a phrase, in the caller's zone. Throws unreadable_time. */
export function readInstant(text: string, { now, timeZone, edge }: InstantOptions): Instant {
  const context = makeContext(now, timeZone);
  const span = text.length > MAX_PHRASE_LENGTH ? null : readSpan(normalizePhrase(text), context);
  const [wanted, other] = edge === 'start' ? [span?.start, span?.end] : [span?.end, span?.start];
  const instant = span?.point ?? wanted ?? other;
  if (instant === undefined || instant === null) throw unreadableTime(text);
  return instant;
}

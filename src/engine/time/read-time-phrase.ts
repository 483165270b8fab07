import type { Instant } from '../../model/ids.ts';
import { normalizePhrase } from './lex-phrase.ts';
import { readSpan } from './read-span.ts';
import { MAX_PHRASE_LENGTH, makeContext, unreadableTime } from './time-span.ts';

export interface TimeRange {
  after: Instant | null;
  before: Instant | null;
}

/**
 * The half-open range [after, before) that a phrase means in the caller's zone; null leaves a side open.
 * Throws unreadable_time when any part of the phrase means nothing: a filter is never ignored.
 */
export function readTimePhrase(phrase: string, { now, timeZone }: { now: Instant; timeZone: string }): TimeRange {
  const context = makeContext(now, timeZone);
  const span = phrase.length > MAX_PHRASE_LENGTH ? null : readSpan(normalizePhrase(phrase), context);
  if (span === null) throw unreadableTime(phrase);
  return { after: span.start, before: span.end };
}

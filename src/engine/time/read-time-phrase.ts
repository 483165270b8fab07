import { shorten } from '../../model/cut-text.ts';
import { EngineError } from '../../model/errors.ts';
import type { Instant } from '../../model/ids.ts';
import { FIRST_INSTANT, isInstant, LAST_INSTANT } from '../../model/instant.ts';
import { normalizePhrase } from './lex-phrase.ts';
import { readSpan } from './read-span.ts';
import { type TimeContext, type TimeSpan, wallTimeAt } from './time-span.ts';

const MAX_PHRASE_LENGTH = 500;

/** Whose now, and on which clock. */
export interface Reader {
  now: Instant;
  timeZone: string;
}

export interface TimeRange {
  after: Instant | null;
  before: Instant | null;
}

/**
 * The half-open range [after, before) that a phrase means in the caller's zone; null leaves a side open.
 * Throws unreadable_time when any part of the phrase means nothing: a filter is never ignored.
 */
export function readTimePhrase(phrase: string, reader: Reader): TimeRange {
  const span = readWhole(phrase, reader);
  if (span === null) throw unreadableTime(phrase);
  return { after: clamp(span.start), before: clamp(span.end) };
}

export interface InstantOptions extends Reader {
  /** Which side of a day, month, year … is meant. Times of day and "2 hours ago" are moments: both sides are the same. */
  edge: 'start' | 'end';
}

/** One instant from an ISO date or time or from a phrase, in the caller's zone. Throws unreadable_time. */
export function readInstant(text: string, { edge, ...reader }: InstantOptions): Instant {
  const span = readWhole(text, reader);
  const [wanted, other] = edge === 'start' ? [span?.start, span?.end] : [span?.end, span?.start];
  const instant = span?.point ?? clamp(wanted ?? other);
  if (instant === undefined || instant === null) throw unreadableTime(text);
  if (!isInstant(instant)) throw beyondTheYears(text);
  return instant;
}

/** The end of the year 9999 is as far as a time goes; what begins beyond it, or before the year 1, ends there too. */
function clamp<T extends Instant | null | undefined>(side: T): T | Instant {
  return typeof side === 'number' ? Math.min(LAST_INSTANT, Math.max(FIRST_INSTANT, side)) : side;
}

function readWhole(text: string, { now, timeZone }: Reader): TimeSpan | null {
  const today = wallTimeAt(now, timeZone).day;
  const context: TimeContext = { now, timeZone, today, pivot: { day: today, side: 'upTo' } };
  return text.length > MAX_PHRASE_LENGTH ? null : readSpan(normalizePhrase(text), context);
}

function beyondTheYears(text: string): EngineError {
  return new EngineError('unreadable_time', `The time "${shorten(text, 100)}" is not in the years 1 to 9999, in UTC.`, {
    hint: 'Give a time that is, such as 2026-03-01T10:00:00Z.',
  });
}

function unreadableTime(phrase: string): EngineError {
  return new EngineError('unreadable_time', `The time "${shorten(phrase, 100)}" could not be read.`, {
    hint: 'Try a phrase such as "yesterday afternoon", "in the last 3 days" or "between March and May", or a date such as 2026-03-01.',
  });
}

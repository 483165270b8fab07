import { EngineError } from '../../model/errors.ts';
import type { Instant } from '../../model/ids.ts';
import { DAY_MS, type DayNumber, dateOf } from './calendar.ts';

/** What a piece of a phrase means: [start, end), either side open. */
export interface TimeSpan {
  start: Instant | null;
  end: Instant | null;
  /** Set where a moment is meant ("2 hours ago", "3pm yesterday"), which before/after/until take instead of the sides. */
  point?: Instant;
  /** False where the year or week was guessed ("March", "Monday") and the other end of a range may move it. */
  anchored: boolean;
}

export interface TimeContext {
  now: Instant;
  timeZone: string;
  today: DayNumber;
  /** Guessed years and weeks: the last occurrence that begins up to this day, or the first that ends after it. */
  pivot: { day: DayNumber; side: 'upTo' | 'from' };
}

export function spanOfDays(from: DayNumber, to: DayNumber, context: TimeContext, anchored = true): TimeSpan {
  return {
    start: instantOfWallTime(from, 0, context.timeZone),
    end: instantOfWallTime(to, 0, context.timeZone),
    anchored,
  };
}

/** Up to and with this very millisecond: what was stored just now counts. */
export function spanUntilNow(start: Instant, context: TimeContext): TimeSpan {
  return { start, end: context.now + 1, anchored: true };
}

/** Chooses among the periods of neighbouring years, given by first and last day, the one the context's pivot asks for. */
export function nearestInYears(
  makePeriod: (year: number) => readonly [DayNumber, DayNumber] | null,
  { pivot }: TimeContext,
): readonly [DayNumber, DayNumber] | null {
  const { year } = dateOf(pivot.day);
  // Eight years back and forth: 29 February can be that far away.
  const periods = Array.from({ length: 17 }, (_, i) => makePeriod(year - 8 + i)).filter((period) => period !== null);
  return (
    (pivot.side === 'upTo'
      ? periods.findLast(([from]) => from <= pivot.day)
      : periods.find(([, to]) => to > pivot.day)) ?? null
  );
}

/** Milliseconds since 1970 as a clock on the wall would count them. */
type WallTime = number;

/** That of this machine. Its name is not asked for before a time is read: loading what knows it takes as long as a small search. */
export const SYSTEM_ZONE = 'system';

const MAX_FORMATS = 64;
const formats = new Map<string, Intl.DateTimeFormat>();

/** The wall clock of a zone at an instant, as day and milliseconds of that day. */
export function wallTimeAt(instant: Instant, timeZone: string): { day: DayNumber; ms: number } {
  const wall = instant + offsetAt(instant, timeZone);
  const day = Math.floor(wall / DAY_MS);
  return { day, ms: wall - day * DAY_MS };
}

/** When the wall clock shows this. Of a time that comes twice (clocks put back) the first; one that is skipped moves on by the gap. */
export function instantOfWallTime(day: DayNumber, ms: number, timeZone: string): Instant {
  const wall: WallTime = day * DAY_MS + ms;
  const before = offsetAt(wall - DAY_MS, timeZone);
  const after = offsetAt(wall + DAY_MS, timeZone);
  if (offsetAt(wall - before, timeZone) === before) return wall - before;
  return offsetAt(wall - after, timeZone) === after ? wall - after : wall - before;
}

function offsetAt(instant: Instant, timeZone: string): number {
  const fields: Record<string, number> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(instant)) fields[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = fields;
  const wall = new Date(0);
  wall.setUTCFullYear(year, month - 1, day);
  wall.setUTCHours(hour, minute, second);
  return wall.getTime() - Math.floor(instant / 1000) * 1000;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  if (formats.size >= MAX_FORMATS) formats.clear();
  const format = makeFormat(timeZone);
  formats.set(timeZone, format);
  return format;
}

function makeFormat(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: timeZone === SYSTEM_ZONE ? undefined : timeZone,
      calendar: 'gregory',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch (cause) {
    throw new EngineError('invalid_input', `Unknown time zone "${timeZone.slice(0, 100)}".`, {
      hint: 'Use an IANA name such as "Europe/Berlin" or "America/New_York".',
      details: { field: 'timeZone' },
      cause,
    });
  }
}

import { EngineError } from '../../model/errors.ts';
import type { Instant } from '../../model/ids.ts';
import { DAY_MS, type DayNumber } from './calendar.ts';

/** Milliseconds since 1970 as a clock on the wall would count them. */
type WallTime = number;

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
      timeZone,
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

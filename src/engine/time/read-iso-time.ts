import { DAY_MS, dayNumber, isRealDate, startOfUnit } from './calendar.ts';
import { instantOfWallTime, spanOfDays, type TimeContext, type TimeSpan } from './time-span.ts';

const DATE = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;
const COMPACT_DATE = /^(\d{4})(\d{2})(\d{2})$/;
const WEEK = /^(\d{4})[- ]?w(\d{2})$/;
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[t ](\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?\s?(z|[+-]\d{2}(?::?\d{2})?)?$/;

/** Undefined: not in ISO form. Null: in ISO form, but no such date or time. Takes lower-case text; what names no zone is meant in the caller's. */
export function readIsoTime(text: string, context: TimeContext): TimeSpan | null | undefined {
  const date = DATE.exec(text) ?? COMPACT_DATE.exec(text);
  if (date !== null) return readDate(date, context);
  const week = WEEK.exec(text);
  if (week !== null) return readWeek(Number(week[1]), Number(week[2]), context);
  const dateTime = DATE_TIME.exec(text);
  return dateTime === null ? undefined : readDateTime(dateTime, context);
}

function readDate([, yearText, monthText, dayText]: RegExpExecArray, context: TimeContext): TimeSpan | null {
  const [year, month, day] = [Number(yearText), Number(monthText ?? 1), Number(dayText ?? 1)];
  if (year === 0 || !isRealDate({ year, month, day })) return null;
  const first = dayNumber(year, month, day);
  const unit = dayText !== undefined ? 'day' : monthText !== undefined ? 'month' : 'year';
  return spanOfDays(first, startOfUnit(first, unit, 1), context);
}

/** Week 1 holds 4 January. */
function readWeek(year: number, week: number, context: TimeContext): TimeSpan | null {
  const first = startOfUnit(dayNumber(year, 1, 4), 'week', week - 1);
  const beginsNextYear = first >= startOfUnit(dayNumber(year + 1, 1, 4), 'week');
  return week < 1 || beginsNextYear ? null : spanOfDays(first, first + 7, context);
}

function readDateTime(match: RegExpExecArray, context: TimeContext): TimeSpan | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((field) => Number(field ?? 0));
  const endsDay = hour === 24 && minute === 0 && second === 0;
  if (year === 0 || !isRealDate({ year, month, day }) || (hour > 23 && !endsDay) || minute > 59 || second > 59)
    return null;
  const fraction = match[7] === undefined ? 0 : Math.floor(Number(`0.${match[7]}`) * 1000);
  const date = dayNumber(year, month, day);
  const ms = ((hour * 60 + minute) * 60 + second) * 1000 + fraction;
  const offset = match[8] === undefined ? null : readOffset(match[8]);
  if (offset !== null && Math.abs(offset) >= DAY_MS) return null;
  const start = offset === null ? instantOfWallTime(date, ms, context.timeZone) : date * DAY_MS + ms - offset;
  const length =
    match[7] !== undefined ? 1 : match[6] !== undefined ? 1000 : match[5] !== undefined ? 60_000 : 3_600_000;
  return { start, end: start + length, point: start, anchored: true };
}

function readOffset(text: string): number {
  if (text === 'z') return 0;
  const digits = text.slice(1).replace(':', '').padEnd(4, '0');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return minutes * (text.startsWith('-') ? -60_000 : 60_000);
}

import { readWrittenTime, type WrittenTime } from '../../model/read-exact-time.ts';
import { DAY_MS, dayNumber, isRealDate, startOfUnit } from './calendar.ts';
import { instantOfWallTime, spanOfDays, type TimeContext, type TimeSpan } from './time-span.ts';

const DATE = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;
const COMPACT_DATE = /^(\d{4})(\d{2})(\d{2})$/;
const WEEK = /^(\d{4})[- ]?w(\d{2})$/;

/** Undefined: not in ISO form. Null: in ISO form, but no such date or time. Takes lower-case text; what names no zone is meant in the caller's. */
export function readIsoTime(text: string, context: TimeContext): TimeSpan | null | undefined {
  const date = DATE.exec(text) ?? COMPACT_DATE.exec(text);
  if (date !== null) return readDate(date, context);
  const week = WEEK.exec(text);
  if (week !== null) return readWeek(Number(week[1]), Number(week[2]), context);
  const written = readWrittenTime(text);
  return written === null || written === undefined ? written : spanOfMoment(written, context);
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

function spanOfMoment({ wall, offset, unit }: WrittenTime, { timeZone }: TimeContext): TimeSpan {
  const day = Math.floor(wall / DAY_MS);
  const start = offset === null ? instantOfWallTime(day, wall - day * DAY_MS, timeZone) : wall - offset;
  return { start, end: start + unit, point: start, anchored: true };
}

/** Days since 1970-01-01 on a wall calendar; free of time zones, so that adding and comparing is plain arithmetic. */
export type DayNumber = number;
export type CalendarUnit = 'day' | 'week' | 'month' | 'quarter' | 'year';
export interface CalendarDate {
  year: number;
  month: number;
  day: number;
}

export const DAY_MS = 86_400_000;

/** Months and days beyond their range run over into the next. */
export function dayNumber(year: number, month: number, day: number): DayNumber {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime() / DAY_MS;
}

export function dateOf(day: DayNumber): CalendarDate {
  const date = new Date(day * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

export function isRealDate({ year, month, day }: CalendarDate): boolean {
  const read = dateOf(dayNumber(year, month, day));
  return read.year === year && read.month === month && read.day === day;
}

/** 1 Monday … 7 Sunday. */
export function weekdayOf(day: DayNumber): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

/** The first day of the unit that holds `day`, moved on by `step` units. Weeks begin on Monday. */
export function startOfUnit(day: DayNumber, unit: CalendarUnit, step = 0): DayNumber {
  const { year, month } = dateOf(day);
  switch (unit) {
    case 'day':
      return day + step;
    case 'week':
      return day - weekdayOf(day) + 1 + 7 * step;
    case 'month':
      return dayNumber(year, month + step, 1);
    case 'quarter':
      return dayNumber(year, Math.floor((month - 1) / 3) * 3 + 1 + 3 * step, 1);
    case 'year':
      return dayNumber(year + step, 1, 1);
  }
}

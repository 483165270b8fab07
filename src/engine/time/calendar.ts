export const SEASONS = ['spring', 'summer', 'autumn', 'winter'] as const;
export type Season = (typeof SEASONS)[number];
export const HOLIDAYS = ['christmas', 'newYear', 'halloween', 'valentine', 'thanksgiving'] as const;
export type Holiday = (typeof HOLIDAYS)[number];

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

export type Period = readonly [DayNumber, DayNumber];

/** Month and day of northern seasons, from spring on: fixed equinoxes and solstices. */
const SEASON_STARTS: readonly (readonly [number, number])[] = [
  [3, 20],
  [6, 21],
  [9, 23],
  [12, 21],
];

/** A winter belongs to the year it begins in. */
export function seasonOfYear(season: Season, year: number): Period {
  const startOf = (place: number) => dayNumber(year + Math.floor(place / 4), ...SEASON_STARTS[place % 4]!);
  const place = SEASONS.indexOf(season);
  return [startOf(place), startOf(place + 1)];
}

/** The season that holds a day, or `step` seasons on. */
export function seasonAround(day: DayNumber, year: number, step: number): Period {
  const seasons = [year - 2, year - 1, year, year + 1].flatMap((each) =>
    SEASONS.map((season) => seasonOfYear(season, each)),
  );
  const current = seasons.findIndex(([from, to]) => from <= day && day < to);
  return seasons[current + step]!;
}

/** The day and some around it: people write about a holiday before and after. */
export function holidayOfYear(holiday: Holiday, year: number): Period {
  const fourthThursday = 22 + ((11 - weekdayOf(dayNumber(year, 11, 1))) % 7);
  const dates: Record<Holiday, readonly [month: number, day: number, around: number]> = {
    christmas: [12, 25, 3],
    newYear: [1, 1, 3],
    halloween: [10, 31, 3],
    valentine: [2, 14, 1],
    thanksgiving: [11, fourthThursday, 3],
  };
  const [month, day, around] = dates[holiday];
  return [dayNumber(year, month, day - around), dayNumber(year, month, day + around + 1)];
}

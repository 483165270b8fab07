import { type DayNumber, dayNumber, weekdayOf } from './calendar.ts';
import { type Holiday, SEASONS, type Season } from './time-words.ts';

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

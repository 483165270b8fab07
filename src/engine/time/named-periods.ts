import { type DayNumber, dayNumber, weekdayOf } from './calendar.ts';
import type { Holiday, Season } from './time-words.ts';

export type Period = readonly [DayNumber, DayNumber];

const SEASONS: readonly Season[] = ['spring', 'summer', 'autumn', 'winter'];

/** Northern seasons between fixed equinoxes and solstices. A winter belongs to the year it begins in. */
export function seasonOfYear(season: Season, year: number): Period {
  switch (season) {
    case 'spring':
      return [dayNumber(year, 3, 20), dayNumber(year, 6, 21)];
    case 'summer':
      return [dayNumber(year, 6, 21), dayNumber(year, 9, 23)];
    case 'autumn':
      return [dayNumber(year, 9, 23), dayNumber(year, 12, 21)];
    case 'winter':
      return [dayNumber(year, 12, 21), dayNumber(year + 1, 3, 20)];
  }
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
  switch (holiday) {
    case 'christmas':
      return around(dayNumber(year, 12, 25), 3);
    case 'newYear':
      return around(dayNumber(year, 1, 1), 3);
    case 'halloween':
      return around(dayNumber(year, 10, 31), 3);
    case 'valentine':
      return around(dayNumber(year, 2, 14), 1);
    case 'thanksgiving': {
      const first = dayNumber(year, 11, 1);
      const firstThursday = first + ((4 - weekdayOf(first) + 7) % 7);
      return around(firstThursday + 21, 3);
    }
  }
}

function around(day: DayNumber, days: number): Period {
  return [day - days, day + days + 1];
}

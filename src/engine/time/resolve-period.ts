import {
  type CalendarUnit,
  type DayNumber,
  dateOf,
  dayNumber,
  holidayOfYear,
  isRealDate,
  type Period,
  seasonAround,
  seasonOfYear,
  startOfUnit,
  weekdayOf,
} from './calendar.ts';
import { nearestInYears, type TimeContext } from './time-span.ts';
import type { TimeUnit, TimeWord } from './time-words.ts';

/** The words of a phrase by what they say; a phrase says each thing once, in whatever order its language has. */
export type Said = { [K in TimeWord['kind']]?: Extract<TimeWord, { kind: K }> };

export interface ResolvedPeriod {
  period: Period;
  anchored: boolean;
}

/** A period of whole days: "last week", "March 2025", "Monday of last week". Null when the words do not fit together. */
export function resolvePeriod(said: Said, context: TimeContext): ResolvedPeriod | null {
  const { day, weekday, month, number, season, holiday, quarter, half } = said;
  if (month !== undefined && number !== undefined) return resolveDate(said, month.month, number.value, context);
  if (day !== undefined)
    return onlyWith(said, ['day']) ? fixed([context.today + day.offset, context.today + day.offset + 1]) : null;
  if (weekday !== undefined) return resolveWeekday(said, weekday.weekday, context);
  const yearly = (kind: keyof Said, periodOf: (year: number) => Period) =>
    resolveYearly(said, [kind], periodOf, context);
  if (month !== undefined) return yearly('month', (year) => months(year, month.month, 1));
  if (quarter !== undefined) return yearly('quarter', (year) => months(year, quarter.quarter * 3 - 2, 3));
  if (half !== undefined) return yearly('half', (year) => months(year, half.half * 6 - 5, 6));
  if (season !== undefined) return yearly('season', (year) => seasonOfYear(season.season, year));
  if (holiday !== undefined) return yearly('holiday', (year) => holidayOfYear(holiday.holiday, year));
  return resolveUnit(said, context);
}

export function onlyWith(said: Said, kinds: readonly (keyof Said)[]): boolean {
  return (Object.keys(said) as (keyof Said)[]).every((kind) => kinds.includes(kind));
}

function fixed(period: Period | null): ResolvedPeriod | null {
  return period === null ? null : { period, anchored: true };
}

function months(year: number, first: number, count: number): Period {
  return [dayNumber(year, first, 1), dayNumber(year, first + count, 1)];
}

/** Something that comes once a year: in the year that is named ("2025", "last year"), the one that "last", "this" or "next" means, or the nearest. */
function resolveYearly(
  said: Said,
  kinds: readonly (keyof Said)[],
  periodOf: (year: number) => Period | null,
  context: TimeContext,
): ResolvedPeriod | null {
  const now = dateOf(context.today).year;
  if (said.year !== undefined || said.unit !== undefined) {
    const year = said.year?.year ?? now + (said.which?.step ?? 0);
    const others = said.year !== undefined ? (['year', 'unit'] as const) : (['unit', 'which'] as const);
    return namesYear(said) && onlyWith(said, [...kinds, ...others]) ? fixed(periodOf(year)) : null;
  }
  if (!onlyWith(said, [...kinds, 'which'])) return null;
  if (said.which === undefined) {
    const nearest = nearestInYears(periodOf, context);
    return nearest === null ? null : { period: nearest, anchored: false };
  }
  if (said.which.step === 0) return fixed(periodOf(now));
  const periods = [now - 2, now - 1, now, now + 1, now + 2].map(periodOf).filter((period) => period !== null);
  return fixed(
    (said.which.step < 0
      ? periods.findLast(([, to]) => to <= context.today)
      : periods.find(([from]) => from > context.today)) ?? null,
  );
}

/** The unit, where one is said, is the year: "the year 2025". */
function namesYear(said: Said): boolean {
  return said.unit === undefined || said.unit.unit === 'year';
}

/** "5 March", "5 March 2025", "March 5 last year"; with a weekday, only where it fits. */
function resolveDate(said: Said, month: number, day: number, context: TimeContext): ResolvedPeriod | null {
  const periodOf = (year: number): Period | null => {
    const first = dayNumber(year, month, day);
    const fits = said.weekday === undefined || weekdayOf(first) === said.weekday.weekday;
    return fits && isRealDate({ year, month, day }) ? [first, first + 1] : null;
  };
  return resolveYearly(said, ['month', 'number', 'weekday'], periodOf, context);
}

/** "Monday" is the latest one, today included; "last Monday" lies before today; "Monday of last week" counts calendar weeks. */
function resolveWeekday(said: Said, weekday: number, context: TimeContext): ResolvedPeriod | null {
  const { today, pivot } = context;
  const oneDay = (day: DayNumber, anchored = true) => ({ period: [day, day + 1] as const, anchored });
  const upTo = (day: DayNumber) => day - ((weekdayOf(day) - weekday + 7) % 7);
  const from = (day: DayNumber) => day + ((weekday - weekdayOf(day) + 7) % 7);
  if (onlyWith(said, ['weekday'])) return oneDay(pivot.side === 'upTo' ? upTo(pivot.day) : from(pivot.day), false);
  if (said.unit !== undefined && said.unit.unit !== 'week') return null;
  if (said.unit !== undefined && said.number !== undefined && said.ago !== undefined) {
    return onlyWith(said, ['weekday', 'unit', 'number', 'ago'])
      ? oneDay(startOfUnit(today, 'week', -said.number.value) + weekday - 1)
      : null;
  }
  if (!onlyWith(said, ['weekday', 'which', 'unit']) || said.which === undefined) return null;
  const { step } = said.which;
  if (said.unit !== undefined || step === 0) return oneDay(startOfUnit(today, 'week', step) + weekday - 1);
  return oneDay(step < 0 ? upTo(today - 1) : from(today + 1));
}

/** "last week", "this month", "3 weeks ago" (that whole week), "2025", "the 5th". */
function resolveUnit(said: Said, context: TimeContext): ResolvedPeriod | null {
  const { today } = context;
  if (said.year !== undefined)
    return onlyWith(said, ['year', 'unit']) && namesYear(said) ? fixed(months(said.year.year, 1, 12)) : null;
  if (said.number?.ordinal === true) return resolveDayOfMonth(said, said.number.value, context);
  if (said.unit === undefined) return null;
  if (onlyWith(said, ['unit', 'which']) && said.which !== undefined)
    return fixed(unitAround(today, said.unit.unit, said.which.step));
  const { number } = said;
  if (
    number === undefined ||
    !(onlyWith(said, ['unit', 'number', 'ago']) || onlyWith(said, ['unit', 'number', 'ahead']))
  )
    return null;
  if (said.ago === undefined && said.ahead === undefined) return null;
  const sign = said.ago !== undefined ? -1 : 1;
  const [near, far] = [
    unitAround(today, said.unit.unit, sign * number.value),
    unitAround(today, said.unit.unit, sign * (number.upTo ?? number.value)),
  ];
  if (near === null || far === null) return null;
  return fixed([Math.min(near[0], far[0]), Math.max(near[1], far[1])]);
}

function unitAround(day: DayNumber, unit: TimeUnit, step: number): Period | null {
  if (unit === 'season') return seasonAround(day, dateOf(day).year, Math.max(-4, Math.min(3, step)));
  if (unit === 'weekend') return weekendAround(day, step);
  if (!isCalendarUnit(unit)) return null;
  return [startOfUnit(day, unit, step), startOfUnit(day, unit, step + 1)];
}

/** On a weekend "last weekend" is the one before; during the week it is the one just past. */
function weekendAround(day: DayNumber, step: number): Period {
  const saturday = startOfUnit(day, 'week', step) + 5;
  return [saturday, saturday + 2];
}

export function isCalendarUnit(unit: TimeUnit): unit is CalendarUnit {
  return unit === 'day' || unit === 'week' || unit === 'month' || unit === 'quarter' || unit === 'year';
}

/** "the 5th" is the latest; "the 5th of last month" is named. */
function resolveDayOfMonth(said: Said, day: number, { today, pivot }: TimeContext): ResolvedPeriod | null {
  const inMonth = (month: DayNumber): Period | null => {
    const { year, month: number } = dateOf(month);
    return isRealDate({ year, month: number, day }) ? [month + day - 1, month + day] : null;
  };
  if (said.unit?.unit === 'month' && said.which !== undefined && onlyWith(said, ['number', 'unit', 'which'])) {
    return fixed(inMonth(startOfUnit(today, 'month', said.which.step)));
  }
  if (!onlyWith(said, ['number'])) return null;
  const months = [0, 1, 2]
    .map((back) => inMonth(startOfUnit(pivot.day, 'month', pivot.side === 'upTo' ? -back : back)))
    .filter((period) => period !== null);
  const found = months.find(([from, to]) => (pivot.side === 'upTo' ? from <= pivot.day : to > pivot.day));
  return found === undefined ? null : { period: found, anchored: false };
}

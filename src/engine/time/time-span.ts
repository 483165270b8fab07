import type { Instant } from '../../model/ids.ts';
import { type DayNumber, dateOf } from './calendar.ts';
import { instantOfWallTime } from './zoned-time.ts';

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

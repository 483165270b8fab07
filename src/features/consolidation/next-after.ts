import { type DayNumber, dateOf, dayNumber, startOfUnit, weekdayOf } from '../../engine/time/calendar.ts';
import { instantOfWallTime, wallTimeAt } from '../../engine/time/time-span.ts';
import type { Instant } from '../../model/ids.ts';
import { readSchedule, type Schedule } from './read-schedule.ts';

const UNITS = { daily: 'day', weekly: 'week', monthly: 'month', quarterly: 'quarter', yearly: 'year' } as const;

/** The first time after this one. */
export function nextAfter(schedule: Schedule, at: Instant, timeZone: string): Instant {
  const today = wallTimeAt(at, timeZone).day;
  for (let step = 0; ; step++) {
    const start = startOfUnit(today, UNITS[schedule.horizon], step);
    const due = instantOfWallTime(dayWithin(schedule, start), schedule.minutes * 60_000, timeZone);
    if (due > at) return due;
  }
}

function dayWithin({ horizon, weekday = 1, month, day = 1 }: Schedule, start: DayNumber): DayNumber {
  if (horizon === 'daily') return start;
  if (horizon === 'weekly') return start + weekday - weekdayOf(start);
  const { year, month: first } = dateOf(start);
  const of = month ?? first;
  return Math.min(dayNumber(year, of, day), dayNumber(year, of + 1, 1) - 1);
}

/** As the setting says them; what cannot be read was refused where it was set. */
export function schedulesOf({ settings }: { settings: { consolidationSchedule: readonly string[] } }): Schedule[] {
  return settings.consolidationSchedule.flatMap((text) => readSchedule(text) ?? []);
}

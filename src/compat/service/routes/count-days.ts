import { SYSTEM_ZONE } from '../../../engine/time/time-span.ts';
import type { Instant } from '../../../model/ids.ts';
import type { VerbContext } from '../../../verbs/verb.ts';

export const DAY = 86_400_000;
export type Day = 'Monday' | 'Tuesday' | 'Wednesday' | 'Thursday' | 'Friday' | 'Saturday' | 'Sunday';

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', {
      ...(timeZone !== SYSTEM_ZONE && { timeZone }),
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      hourCycle: 'h23',
      weekday: 'long',
    });
  formats.set(timeZone, format);
  return format;
}

type Zoned = Pick<VerbContext, 'caller' | 'timeZone'>;

/** The calendar's view of a moment, in the caller's zone. */
export function inZone(at: Instant, { caller, timeZone }: Zoned) {
  const parts = new Map(
    formatOf(caller.timeZone ?? timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const date = `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
  return { date, hour: Number(parts.get('hour')), weekday: parts.get('weekday') as Day, week: mondayOf(date) };
}

export function dayOf(at: Instant, zoned: Zoned): string {
  return inZone(at, zoned).date;
}

/** The Monday that a week is called by. */
function mondayOf(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}

/** Days in a row: those that end today or yesterday, and the longest run. `dates` are in order, each once. */
export function streaks(dates: readonly string[], today: string): { current: number; longest: number } {
  let longest = 0;
  let run = 0;
  let before = Number.NaN;
  for (const date of dates) {
    const at = Date.parse(date);
    run = at - before === DAY ? run + 1 : 1;
    longest = Math.max(longest, run);
    before = at;
  }
  return { current: Date.parse(today) - before <= DAY ? run : 0, longest };
}

/** How often each occurs, the most frequent first. */
export function tally(values: readonly string[]): [value: string, count: number][] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

/** In percent, with two decimals. */
export function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Number(((part / whole) * 100).toFixed(2));
}

import { HORIZONS, type Horizon } from './consolidation.ts';

/** When a horizon runs by itself, by the clock on the wall. */
export interface Schedule {
  horizon: Horizon;
  /** As the operator wrote it, without the horizon. */
  text: string;
  /** 1 Monday … 7 Sunday. */
  weekday?: number;
  month?: number;
  day?: number;
  minutes: number;
}

const WEEKDAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'];
const FORMS: Readonly<Record<Horizon, RegExp>> = {
  daily: /^(?<time>\d{1,2}:\d{2})$/,
  weekly: /^(?<weekday>[A-Z]{3}) (?<time>\d{1,2}:\d{2})$/i,
  monthly: /^(?<day>\d{1,2}) (?<time>\d{1,2}:\d{2})$/,
  quarterly: /^(?:(?<month>\d{1,2})-)?(?<day>\d{1,2}) (?<time>\d{1,2}:\d{2})$/,
  yearly: /^(?<month>\d{1,2})-(?<day>\d{1,2}) (?<time>\d{1,2}:\d{2})$/,
};

/** Null where it cannot be read: `daily 02:00`, `weekly SUN 03:00`, `monthly 01 04:00`, `yearly 01-15 05:00`. A day that a month lacks means its last. */
export function readSchedule(given: string): Schedule | null {
  const [name, ...rest] = given.trim().split(/\s+/);
  const horizon = HORIZONS.find((one) => one === name);
  const text = rest.join(' ');
  const said = horizon === undefined ? undefined : FORMS[horizon].exec(text)?.groups;
  if (horizon === undefined || said === undefined) return null;
  const [hours = 99, minutes = 99] = said.time!.split(':').map(Number);
  const weekday = said.weekday === undefined ? undefined : WEEKDAYS.indexOf(said.weekday.toUpperCase()) + 1;
  const month = said.month === undefined ? undefined : Number(said.month);
  const day = said.day === undefined ? undefined : Number(said.day);
  if (hours > 23 || minutes > 59 || weekday === 0 || !isWithin(month, 12) || !isWithin(day, 31)) return null;
  return {
    horizon,
    text,
    minutes: hours * 60 + minutes,
    ...(weekday !== undefined && { weekday }),
    // A quarter has no month of its own: it begins in January, April, July and October.
    ...(month !== undefined && horizon === 'yearly' && { month }),
    ...(day !== undefined && { day }),
  };
}

function isWithin(value: number | undefined, most: number): boolean {
  return value === undefined || (value >= 1 && value <= most);
}

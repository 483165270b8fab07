import { groupDigits } from './group-digits.ts';
import type { Instant } from './ids.ts';

/** The first and the last moment that can be written down with four digits of a year, in UTC. */
export const FIRST_INSTANT: Instant = -62_135_596_800_000;
export const LAST_INSTANT: Instant = 253_402_300_799_999;

export function isInstant(value: number): boolean {
  return Number.isInteger(value) && value >= FIRST_INSTANT && value <= LAST_INSTANT;
}

export function toIso(instant: Instant): string {
  return new Date(instant).toISOString();
}

/** The day in UTC, such as 2026-01-31. */
export function dayOf(instant: Instant): string {
  return toIso(instant).slice(0, 10);
}

/** UTC, to the second: as packets write times. */
export function toIsoSeconds(instant: Instant): string {
  return `${toIso(instant).slice(0, 19)}Z`;
}

const UNITS: readonly [unit: string, ms: number][] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** "3 days ago", "in 2 hours", "just now"; with `auto` also "yesterday". */
export function describeAge(then: Instant, now: Instant, numeric: 'always' | 'auto' = 'always'): string {
  for (const [unit, ms] of UNITS) {
    const count = Math.trunc((then - now) / ms);
    if (count !== 0) return describeCount(count, unit, numeric);
  }
  return 'just now';
}

const DAYS: Readonly<Record<number, string>> = { [-1]: 'yesterday', 1: 'tomorrow' };
const NAMED_UNITS: ReadonlySet<string> = new Set(['week', 'month', 'year']);

/** The English of Intl.RelativeTimeFormat, whose tables take longer to load than most commands take. */
function describeCount(count: number, unit: string, numeric: 'always' | 'auto'): string {
  const size = Math.abs(count);
  if (numeric === 'auto' && size === 1) {
    if (unit === 'day') return DAYS[count]!;
    if (NAMED_UNITS.has(unit)) return `${count < 0 ? 'last' : 'next'} ${unit}`;
  }
  const amount = `${groupDigits(size)} ${unit}${size === 1 ? '' : 's'}`;
  return count < 0 ? `${amount} ago` : `in ${amount}`;
}

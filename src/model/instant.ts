import type { Instant } from './ids.ts';

export function toIso(instant: Instant): string {
  return new Date(instant).toISOString();
}

/** UTC, to the second: as packets write times. */
export function toIsoSeconds(instant: Instant): string {
  return `${toIso(instant).slice(0, 19)}Z`;
}

const UNITS: readonly [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
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
    if (count !== 0) return new Intl.RelativeTimeFormat('en', { numeric }).format(count, unit);
  }
  return 'just now';
}

import type { Instant } from '../model/ids.ts';

const UNITS: readonly [name: string, ms: number][] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** "3 days ago", as a person would say it. */
export function describeAge(then: Instant, now: Instant): string {
  const distance = Math.abs(now - then);
  for (const [name, ms] of UNITS) {
    const count = Math.floor(distance / ms);
    if (count >= 1)
      return `${then > now ? 'in ' : ''}${count} ${name}${count === 1 ? '' : 's'}${then > now ? '' : ' ago'}`;
  }
  return 'just now';
}

export function isoTime(instant: Instant): string {
  return new Date(instant).toISOString();
}

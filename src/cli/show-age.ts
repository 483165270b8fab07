import type { Instant } from '../model/ids.ts';
import { describeAge } from '../model/instant.ts';

/** "3 days ago", "yesterday", "just now". */
export function showAge(then: Instant, now: Instant): string {
  return describeAge(then, now, 'auto');
}

/** In the zone of the person at the terminal. */
export function showTime(instant: Instant): string {
  const date = new Date(instant - new Date(instant).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 16).replace('T', ' ');
}

export function showBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return power === 0 ? `${bytes} bytes` : `${(bytes / 1024 ** power).toFixed(1)} ${units[power]}`;
}

export function showCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
}

import type { Instant } from './ids.ts';
import { FIRST_INSTANT, isInstant } from './instant.ts';

/** The end of a sentence that begins with the field. */
export const TIME_FAULT = 'must be a time such as 2026-03-01T10:00:00Z, in the years 1 to 9999';

/** A date and time as it is written, before anybody asks where that clock hangs. */
export interface WrittenTime {
  /** Milliseconds since 1970 as the clock on the wall counts them. */
  wall: number;
  /** East of Greenwich, in milliseconds; null: the text names no zone. */
  offset: number | null;
  /** What its last figure counts: an hour, a minute, a second or a millisecond. */
  unit: number;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const MAX_CHARS = 100;

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d{1,18}))?)?)?\s?([Zz]|[+-]\d{2}(?::?\d{2}(?::?\d{2})?)?)?$/;

/**
 * ISO 8601 in the forms that programs write: `T` or a blank, with or without seconds, a fraction of up to 18 digits (what is below a millisecond is left
 * out), `Z`, an offset or none. Undefined: it is in no such form. Null: it is, but there is no such date or time.
 */
export function readWrittenTime(text: string): WrittenTime | null | undefined {
  const match = text.length > MAX_CHARS ? null : DATE_TIME.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((field) => Number(field ?? 0));
  const date = readDate(year, month, day);
  const endsDay = hour === 24 && minute === 0 && second === 0;
  const offset = match[8] === undefined ? null : readOffset(match[8]);
  if (date === null || Number.isNaN(offset) || (hour > 23 && !endsDay) || minute > 59 || second > 59) return null;
  const fraction = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const unit =
    match[7] !== undefined ? 1 : match[6] !== undefined ? 1000 : match[5] !== undefined ? MINUTE_MS : HOUR_MS;
  return { wall: date + hour * HOUR_MS + minute * MINUTE_MS + second * 1000 + fraction, offset, unit };
}

/** One moment, or the first one of a date; without a zone, in UTC. Null for everything else, and for what cannot be written down again. */
export function readExactTime(text: string): Instant | null {
  const trimmed = text.trim();
  const [, year, month, day] = DATE.exec(trimmed) ?? [];
  if (day !== undefined) return readDate(Number(year), Number(month), Number(day));
  const written = readWrittenTime(trimmed);
  if (written === null || written === undefined) return null;
  const instant = written.wall - (written.offset ?? 0);
  return isInstant(instant) ? instant : null;
}

/**
 * A time of a file that another program has written: a number, as text or not, is milliseconds, or seconds where it is small; text is read exactly if
 * it can be, and otherwise as browsers do. Null for what is no time.
 */
export function readForeignTime(value: unknown): Instant | null {
  if (typeof value === 'bigint') return readForeignTime(Number(value));
  if (typeof value === 'number') return bounded(Math.abs(value) < SECONDS_BELOW ? value * 1000 : value);
  if (typeof value !== 'string' || value.length > MAX_CHARS || value.trim() === '') return null;
  if (/^\d+(?:\.\d+)?$/.test(value)) return readForeignTime(Number(value));
  return readExactTime(value) ?? (readsLikeIso(value) ? null : bounded(Date.parse(value)));
}

/** Agents write milliseconds, or text. */
export function readAgentTime(value: unknown): Instant | null {
  return typeof value === 'number' ? bounded(value) : typeof value === 'string' ? readForeignTime(value) : null;
}

const SECONDS_BELOW = 1e11;

function bounded(time: number): Instant | null {
  const instant = Math.round(time);
  return isInstant(instant) ? instant : null;
}

/** One that the exact reader has refused is not given to a reader that is less exact. */
function readsLikeIso(text: string): boolean {
  return /^\s*[+-]?\d{4,}-\d/.test(text);
}

/** Its first moment in UTC; null where there is no such day. */
function readDate(year: number, month: number, day: number): number | null {
  const date = new Date(FIRST_INSTANT);
  date.setUTCFullYear(year, month - 1, day);
  const isReal = year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.getTime() : null;
}

/** NaN where it is a day or more. */
function readOffset(text: string): number {
  if (/^z$/i.test(text)) return 0;
  const digits = text.slice(1).replaceAll(':', '').padEnd(6, '0');
  const [hours, minutes, seconds] = [0, 2, 4].map((at) => Number(digits.slice(at, at + 2))) as [number, number, number];
  const offset = hours * HOUR_MS + minutes * MINUTE_MS + seconds * 1000;
  if (offset >= DAY_MS || minutes > 59 || seconds > 59) return Number.NaN;
  return text.startsWith('-') ? -offset : offset;
}

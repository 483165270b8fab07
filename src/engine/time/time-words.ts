import type { CalendarUnit } from './calendar.ts';

export type TimeUnit = CalendarUnit | 'second' | 'minute' | 'hour' | 'weekend' | 'season';
export type DayPart = 'morning' | 'noon' | 'afternoon' | 'evening' | 'night' | 'lateDay' | 'midnight';
export type Season = 'spring' | 'summer' | 'autumn' | 'winter';
export type Holiday = 'christmas' | 'newYear' | 'halloween' | 'valentine' | 'thanksgiving';

/** One thing a word of a time phrase can say. */
export type TimeWord =
  /** `upTo`: "a few" means two to five. `ordinal`: can stand for a day of a month alone. */
  | { kind: 'number'; value: number; upTo?: number; ordinal?: boolean }
  | { kind: 'unit'; unit: TimeUnit }
  /** last, this, next. `rolling`: up to now ("the past week"), not the calendar's unit. */
  | { kind: 'which'; step: -1 | 0 | 1; rolling?: boolean }
  | { kind: 'ago' }
  | { kind: 'ahead' }
  | { kind: 'day'; offset: number }
  | { kind: 'weekday'; weekday: number }
  | { kind: 'month'; month: number }
  | { kind: 'year'; year: number }
  | { kind: 'quarter'; quarter: number }
  | { kind: 'half'; half: number }
  | { kind: 'season'; season: Season }
  | { kind: 'holiday'; holiday: Holiday }
  | { kind: 'part'; part: DayPart }
  | { kind: 'clock'; hour: number; minute: number | null; second: number | null }
  /** The first, middle or last third of something: early March, the end of last year. */
  | { kind: 'third'; third: 0 | 1 | 2 }
  /** The clock's own zone, where it is not the caller's. */
  | { kind: 'zone'; timeZone: string }
  | { kind: 'recent' }
  | { kind: 'now' };

export const day = (offset: number): TimeWord => ({ kind: 'day', offset });
export const unit = (name: TimeUnit): TimeWord => ({ kind: 'unit', unit: name });
export const part = (name: DayPart): TimeWord => ({ kind: 'part', part: name });
export const season = (name: Season): TimeWord => ({ kind: 'season', season: name });
export const holiday = (name: Holiday): TimeWord => ({ kind: 'holiday', holiday: name });
export const number = (value: number): TimeWord => ({ kind: 'number', value });
export const quarter = (value: number): TimeWord => ({ kind: 'quarter', quarter: value });
export const half = (value: number): TimeWord => ({ kind: 'half', half: value });
export const third = (value: 0 | 1 | 2): TimeWord => ({ kind: 'third', third: value });
export const HALF_HOUR: readonly TimeWord[] = [number(30), unit('minute')];
export const LAST: TimeWord = { kind: 'which', step: -1 };
export const PAST: TimeWord = { kind: 'which', step: -1, rolling: true };
export const THIS: TimeWord = { kind: 'which', step: 0 };
export const NEXT: TimeWord = { kind: 'which', step: 1 };
export const AGO: TimeWord = { kind: 'ago' };
export const AHEAD: TimeWord = { kind: 'ahead' };
export const RECENT: TimeWord = { kind: 'recent' };
export const NOW: TimeWord = { kind: 'now' };
export const COUPLE: TimeWord = { kind: 'number', value: 2, upTo: 3 };
export const FEW: TimeWord = { kind: 'number', value: 2, upTo: 5 };
export const SEVERAL: TimeWord = { kind: 'number', value: 3, upTo: 7 };

/** A form of digits and signs; null when it only looked like one. */
export interface TimePattern {
  form: RegExp;
  read(match: RegExpExecArray): readonly TimeWord[] | null;
}

/** How a language says times. Forms are written without capitals and accents, alternatives parted by `|`, spaces as in the language. */
export interface TimeLanguage {
  locale: 'en' | 'de' | 'fr' | 'es' | 'pt' | 'ja' | 'zh';
  /** False where words stand without spaces. */
  spaced: boolean;
  words: readonly (readonly [TimeWord | readonly TimeWord[], string])[];
  /** From 1. */
  numbers: readonly string[];
  /** From Monday. */
  weekdays: readonly string[];
  months: readonly string[];
  /** Words that add nothing. */
  fillers: string;
  patterns: readonly TimePattern[];
  /** Whole-phrase forms with the groups x, and y for a range. */
  connectors: readonly (readonly ['between' | 'since' | 'before' | 'after' | 'until', RegExp])[];
}

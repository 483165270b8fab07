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

const day = (offset: number) => ({ kind: 'day', offset }) as const;
const number = (value: number, upTo?: number) => ({ kind: 'number', value, upTo }) as const;
const unit = (name: TimeUnit) => ({ kind: 'unit', unit: name }) as const;
const part = (name: DayPart) => ({ kind: 'part', part: name }) as const;
const season = (name: Season) => ({ kind: 'season', season: name }) as const;
const holiday = (name: Holiday) => ({ kind: 'holiday', holiday: name }) as const;

/** What the word lists of the languages give words for. */
export const MEANINGS = {
  today: day(0),
  yesterday: day(-1),
  dayBefore: day(-2),
  tomorrow: day(1),
  dayAfter: day(2),
  now: { kind: 'now' },
  recent: { kind: 'recent' },
  last: { kind: 'which', step: -1 },
  past: { kind: 'which', step: -1, rolling: true },
  this: { kind: 'which', step: 0 },
  next: { kind: 'which', step: 1 },
  ago: { kind: 'ago' },
  ahead: { kind: 'ahead' },
  second: unit('second'),
  minute: unit('minute'),
  hour: unit('hour'),
  day: unit('day'),
  week: unit('week'),
  weekend: unit('weekend'),
  month: unit('month'),
  quarter: unit('quarter'),
  year: unit('year'),
  season: unit('season'),
  one: number(1),
  two: number(2),
  six: number(6),
  twelve: number(12),
  thirty: number(30),
  couple: number(2, 3),
  few: number(2, 5),
  several: number(3, 7),
  morning: part('morning'),
  noon: part('noon'),
  afternoon: part('afternoon'),
  evening: part('evening'),
  night: part('night'),
  lateDay: part('lateDay'),
  midnight: part('midnight'),
  spring: season('spring'),
  summer: season('summer'),
  autumn: season('autumn'),
  winter: season('winter'),
  christmas: holiday('christmas'),
  newYear: holiday('newYear'),
  halloween: holiday('halloween'),
  valentine: holiday('valentine'),
  thanksgiving: holiday('thanksgiving'),
  half1: { kind: 'half', half: 1 },
  half2: { kind: 'half', half: 2 },
  q1: { kind: 'quarter', quarter: 1 },
  q2: { kind: 'quarter', quarter: 2 },
  q3: { kind: 'quarter', quarter: 3 },
  q4: { kind: 'quarter', quarter: 4 },
  early: { kind: 'third', third: 0 },
  middle: { kind: 'third', third: 1 },
  late: { kind: 'third', third: 2 },
} as const satisfies Record<string, TimeWord>;

type Meaning = keyof typeof MEANINGS;
/** A word may mean several things at once: "tonight" is `today lateDay`. */
type Meanings = Meaning | `${Meaning} ${Meaning}` | `${'one' | 'two'} ${TimeUnit} ago`;

/** A form of digits and signs; null when it only looked like one. */
export interface TimePattern {
  form: RegExp;
  read(match: RegExpExecArray): readonly TimeWord[] | null;
}

/** How a language says times. Forms are written without capitals and accents, alternatives parted by `|`, spaces as in the language. */
export interface TimeLanguage {
  /** False where words stand without spaces. */
  spaced: boolean;
  words: Readonly<Partial<Record<Meanings, string>>>;
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

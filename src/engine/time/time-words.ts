import { HOLIDAYS, type Holiday, SEASONS, type Season } from './calendar.ts';

const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'weekend', 'month', 'quarter', 'year', 'season'] as const;
export type TimeUnit = (typeof UNITS)[number];
const DAY_PARTS = ['morning', 'noon', 'afternoon', 'evening', 'night', 'lateDay', 'midnight'] as const;
export type DayPart = (typeof DAY_PARTS)[number];

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

/** Meanings called like what they say: `week` is the unit week. */
function called<Name extends string>(names: readonly Name[], toWord: (name: Name) => TimeWord) {
  return Object.fromEntries(names.map((name) => [name, toWord(name)])) as Record<Name, TimeWord>;
}

/** What the word lists of the languages give words for. */
export const MEANINGS = {
  today: day(0),
  yesterday: day(-1),
  dayBefore: day(-2),
  now: { kind: 'now' },
  recent: { kind: 'recent' },
  last: { kind: 'which', step: -1 },
  past: { kind: 'which', step: -1, rolling: true },
  this: { kind: 'which', step: 0 },
  next: { kind: 'which', step: 1 },
  ago: { kind: 'ago' },
  ahead: { kind: 'ahead' },
  one: number(1),
  two: number(2),
  six: number(6),
  twelve: number(12),
  thirty: number(30),
  couple: number(2, 3),
  few: number(2, 5),
  several: number(3, 7),
  ...called(UNITS, (unit) => ({ kind: 'unit', unit })),
  ...called(DAY_PARTS, (part) => ({ kind: 'part', part })),
  ...called(HOLIDAYS, (holiday) => ({ kind: 'holiday', holiday })),
} as const satisfies Record<string, TimeWord>;

type Meaning = keyof typeof MEANINGS;
/** A word may mean several things at once: "tonight" is `today lateDay`. */
type Meanings = Meaning | `${Meaning} ${Meaning}` | `${'one' | 'two'} ${TimeUnit} ago`;

/** What a language names in a fixed order, and what the name in each place means. */
export const LISTS = {
  /** From 1. */
  numbers: (i) => ({ kind: 'number', value: i + 1 }),
  /** From Monday. */
  weekdays: (i) => ({ kind: 'weekday', weekday: i + 1 }),
  months: (i) => ({ kind: 'month', month: i + 1 }),
  /** From the day before yesterday to the day after tomorrow. */
  days: (i) => day(i - 2),
  seasons: (i) => ({ kind: 'season', season: SEASONS[i]! }),
  halves: (i) => ({ kind: 'half', half: i + 1 }),
  quarters: (i) => ({ kind: 'quarter', quarter: i + 1 }),
  /** early, middle, late */
  thirds: (i) => ({ kind: 'third', third: i as 0 | 1 | 2 }),
} as const satisfies Record<string, (i: number) => TimeWord>;

/** A form of digits and signs; null when it only looked like one. */
export interface TimePattern {
  form: RegExp;
  read(match: RegExpExecArray): readonly TimeWord[] | null;
}

/**
 * How a language says times. Forms are written without capitals and accents, alternatives parted by `|`, the names of a list by a comma, spaces as in the
 * language.
 */
export interface TimeLanguage extends Readonly<Partial<Record<keyof typeof LISTS, string>>> {
  /** False where words stand without spaces. */
  spaced: boolean;
  words: Readonly<Partial<Record<Meanings, string>>>;
  /** Words that add nothing. */
  fillers: string;
  patterns: readonly TimePattern[];
  /** Whole-phrase forms with the groups x, and y for a range. */
  connectors: readonly (readonly ['between' | 'since' | 'before' | 'after' | 'until', RegExp])[];
}

import type { TimePattern, TimeWord } from './time-words.ts';

/** Named groups: h, and where said m, s, and ap (a or p). */
export function clockPattern(form: RegExp): TimePattern {
  return {
    form,
    read({ groups = {} }) {
      const [minute, second] = [toNumber(groups.m), toNumber(groups.s)];
      let hour = Number(groups.h);
      if (groups.ap !== undefined) {
        if (hour < 1 || hour > 12) return null;
        hour = (hour % 12) + (groups.ap === 'p' ? 12 : 0);
      }
      return hour > 23 || (minute ?? 0) > 59 || (second ?? 0) > 59 ? null : [{ kind: 'clock', hour, minute, second }];
    },
  };
}

export const COLON_CLOCK = clockPattern(/(?<h>\d{1,2}):(?<m>\d{2})(?::(?<s>\d{2}))?(?!\d)/y);

/** Day and month in the order the language writes them; where that cannot be, the other way round. A year of two digits below 50 is in this century. */
function datePattern(form: RegExp, order: 'day-month' | 'month-day'): TimePattern {
  return {
    form,
    read({ groups = {} }) {
      const [first, second] = [Number(groups.a), Number(groups.b)];
      let [day, month] = order === 'day-month' ? [first, second] : [second, first];
      if (month > 12) [day, month] = [month, day];
      if (month < 1 || month > 12 || day < 1 || day > 31) return null;
      const words: TimeWord[] = [
        { kind: 'month', month },
        { kind: 'number', value: day },
      ];
      if (groups.y !== undefined) words.push({ kind: 'year', year: fullYear(groups.y) });
      return words;
    },
  };
}

function fullYear(text: string): number {
  const year = Number(text);
  return text.length > 2 ? year : year + (year < 50 ? 2000 : 1900);
}

const SLASHED = /(?<a>\d{1,2})[/-](?<b>\d{1,2})(?:[/-](?<y>\d{4}|\d{2}))?(?![\d/-])/y;
const DOTTED_DATE = datePattern(/(?<a>\d{1,2})\.\s?(?<b>\d{1,2})\.(?:\s?(?<y>\d{4}|\d{2})(?!\d))?/y, 'day-month');
const YEAR_FIRST = datePattern(/(?<y>\d{4})(?<sign>[-/.])(?<a>\d{1,2})\k<sign>(?<b>\d{1,2})(?!\d)/y, 'month-day');

/** Times of day and dates in figures, as most languages write them, and as English does. */
export const DAY_FIRST: readonly TimePattern[] = [COLON_CLOCK, datePattern(SLASHED, 'day-month'), DOTTED_DATE];
export const MONTH_FIRST: readonly TimePattern[] = [COLON_CLOCK, datePattern(SLASHED, 'month-day'), DOTTED_DATE];

const ZONES: Readonly<Record<string, string>> = {
  utc: 'UTC',
  gmt: 'UTC',
  est: '-05:00',
  edt: '-04:00',
  cst: '-06:00',
  cdt: '-05:00',
  mst: '-07:00',
  mdt: '-06:00',
  pst: '-08:00',
  pdt: '-07:00',
  cet: '+01:00',
  cest: '+02:00',
};

/** Behind a time of day: "3pm UTC", "10:00 +02:00". */
export const ZONE: TimePattern = {
  form: new RegExp(
    `(?<z>${Object.keys(ZONES).join('|')})(?![\\p{L}\\d+-])|(?:utc|gmt)?(?<h>[+-][01]\\d):?(?<m>[0-5]\\d)`,
    'uy',
  ),
  read: ({ groups = {} }) => [
    { kind: 'zone', timeZone: groups.z === undefined ? `${groups.h}:${groups.m}` : ZONES[groups.z]! },
  ],
};

/** One named group n; null when the number cannot be meant. */
export function numberPattern(
  form: RegExp,
  toWord: (value: number) => TimeWord | null,
  read: (text: string) => number = Number,
): TimePattern {
  return {
    form,
    read({ groups = {} }) {
      const word = toWord(read(groups.n!));
      return word === null ? null : [word];
    },
  };
}

/** q2, t2, 2. quartal. */
export function quarterPattern(form: RegExp): TimePattern {
  return numberPattern(form, (quarter) => ({ kind: 'quarter', quarter }));
}

/** 5th, 5., 1er, 5º. */
export function ordinalPattern(form: RegExp): TimePattern {
  return numberPattern(form, (value) => ({ kind: 'number', value, ordinal: true }));
}

const YEAR = numberPattern(/(?<n>(?:19|20|21)\d{2})(?!\d)/y, (year) => ({ kind: 'year', year }));
export const NUMBER = numberPattern(/(?<n>\d{1,4})(?![\d:./-])/y, (value) => ({ kind: 'number', value }));

/** What every language with spaces writes in the same way; after the patterns of its own. */
export const NUMBERS: readonly TimePattern[] = [YEAR_FIRST, YEAR, NUMBER, ZONE];

function toNumber(text: string | undefined): number | null {
  return text === undefined ? null : Number(text);
}
